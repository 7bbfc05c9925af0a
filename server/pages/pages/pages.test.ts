import { dialogInlineConfigSchema, walletInlineConfigSchema } from '@latchkey/protocol'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { registerProvider, removeProvider } from '../../login/cross-app/providers.ts'
import { createApp } from '../../start/app.ts'
import { dialogPath, hostOrigin, id, openPagesServer, walletPath } from '../../testing/pages-server.ts'
import { createPageCache } from './pages.ts'

let opened: Awaited<ReturnType<typeof openPagesServer>> | undefined
const pages = () => opened ?? expect.unreachable('not open yet')
beforeAll(async () => {
  opened = await openPagesServer()
})
afterAll(() => opened?.close())

const get = (site: string, path: string, headers?: Readonly<Record<string, string>>) =>
  pages().get(site, path, headers)
const headersOf = (answer: Response) =>
  [...answer.headers]
    .map(
      ([name, value]) =>
        `${name}: ${name === 'etag' ? '<etag>' : value.replace(/^(?:\S+=\(\), )+/, '<denied>, ')}`,
    )
    .join('\n')
const configIn = async (answer: Response) => {
  const [, json = ''] = /id="latchkey-config">([^<]*)<\/script>/.exec(await answer.text()) ?? []
  return JSON.parse(json)
}
test('sends the headers of the dialog for a listed host', async () => {
  const answer = await get('dialog', dialogPath(`?origin=${hostOrigin}`))
  expect(answer.status).toBe(200)
  expect(headersOf(answer)).toMatchInlineSnapshot(`
    "cache-control: no-cache
    content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: http://demo.localhost:4010; font-src 'self'; connect-src 'self'; frame-src http://wallet.localhost:4000; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors http://demo.localhost:4010; require-trusted-types-for 'script'; trusted-types 'none'
    content-type: text/html; charset=utf-8
    cross-origin-opener-policy: same-origin-allow-popups
    cross-origin-resource-policy: same-origin
    etag: <etag>
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
})

test('sends the headers of the dialog for a cross-origin isolated host', async () => {
  const answer = await get('dialog', dialogPath(`?origin=${hostOrigin}&coi=1`))
  expect(answer.headers.get('cross-origin-embedder-policy')).toBe('credentialless')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(await configIn(answer)).toMatchObject({ isolated: true })
})

const confirmPath = `/apps/${id}/confirm`
const byPress = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
}

// No opener policy: the page finds the wallet frame through its opener.
test('sends the headers of the confirmation page', async () => {
  const answer = await get('wallet', confirmPath)
  expect(answer.status).toBe(200)
  expect(headersOf(answer)).toMatchInlineSnapshot(`
    "cache-control: no-cache
    content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
    content-type: text/html; charset=utf-8
    cross-origin-resource-policy: same-origin
    etag: <etag>
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
  expect(await configIn(answer)).toMatchObject({ appId: id })
})

test('serves the confirmation page only for an existing app and on the wallet hostname', async () => {
  expect((await get('wallet', `/apps/${'b'.repeat(25)}/confirm`)).status).toBe(404)
  expect((await get('dialog', confirmPath)).status).toBe(404)
})

const crossAppPath = `/apps/${id}/cross-app`
const handover = { code: 'c'.repeat(43), state: 's'.repeat(43), user: 'user_1' }
const post = (site: string, path: string, fields: Readonly<Record<string, string>>) =>
  pages().server.request(`http://${site}.localhost:4000${path}`, {
    method: 'POST',
    headers: {
      host: `${site}.localhost:4000`,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
    },
    body: new URLSearchParams(fields),
  })

// No opener policy, because the page answers its opener. It starts a vault and posts to our own origins only.
test('sends the headers of the cross-app wallet page', async () => {
  const answer = await get('wallet', crossAppPath)
  expect(answer.status).toBe(200)
  expect(headersOf(answer)).toMatchInlineSnapshot(`
    "cache-control: no-cache
    content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action http://dialog.localhost:4000; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types latchkey
    content-type: text/html; charset=utf-8
    cross-origin-resource-policy: same-origin
    etag: <etag>
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
  expect(v.parse(walletInlineConfigSchema, await configIn(answer))).toMatchObject({ appId: id })
  expect((await get('wallet', `/apps/${'b'.repeat(25)}/cross-app`)).status).toBe(404)
  expect((await get('dialog', crossAppPath)).status).toBe(404)
})

test('includes a handed-over login only in the response to its form, which is not cached', async () => {
  const answer = await post('wallet', `${crossAppPath}/session`, handover)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('etag')).toBeNull()
  const page = await get('wallet', crossAppPath)
  expect(answer.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
  expect(v.parse(walletInlineConfigSchema, await configIn(answer)).handover).toEqual(handover)
  expect(await configIn(page)).not.toHaveProperty('handover')
})

test.each([
  ['no code', { code: '' }],
  ['a code that is markup', { code: '</script>' }],
  ['a state of another length', { state: 's'.repeat(42) }],
  ['no user', { user: '' }],
])('rejects a handover form with %s', async (_name, change) => {
  const answer = await post('wallet', `${crossAppPath}/session`, { ...handover, ...change })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ code: 'invalid_data' })
})

test('accepts a handover only for an existing app, on the wallet hostname and by form post', async () => {
  expect((await post('wallet', `/apps/${'b'.repeat(25)}/cross-app/session`, handover)).status).toBe(404)
  expect((await post('dialog', `${crossAppPath}/session`, handover)).status).toBe(404)
  expect((await get('wallet', `${crossAppPath}/session`)).status).toBe(404)
})

const passkeyPath = `/apps/${id}/passkey/${'h'.repeat(48)}`

test('sends the headers of the passkey page', async () => {
  const answer = await get('dialog', passkeyPath, byPress)
  expect(answer.status).toBe(200)
  expect(headersOf(answer)).toMatchInlineSnapshot(`
    "cache-control: no-store
    content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
    content-type: text/html; charset=utf-8
    cross-origin-opener-policy: same-origin
    cross-origin-resource-policy: same-origin
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
  expect(await configIn(answer)).toMatchObject({ hostOrigin: null, app: { id } })
})

test.each([
  ['a link of another site', { 'sec-fetch-site': 'cross-site' }],
  ['another origin of the site', { 'sec-fetch-site': 'same-site' }],
  ['an address that was typed', { 'sec-fetch-site': 'none' }],
  ['a frame', { 'sec-fetch-dest': 'iframe' }],
])('refuses to open the passkey page for %s', async (_name, change) => {
  const answer = await get('dialog', passkeyPath, { ...byPress, ...change })
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ code: 'invalid_origin' })
})

test('serves the passkey page only for a valid handle and on the dialog hostname', async () => {
  for (const [site, path] of [
    ['dialog', `/apps/${id}/passkey/short`],
    ['dialog', `/apps/${id}/passkey/${'.'.repeat(48)}`],
    ['dialog', `/apps/${'b'.repeat(25)}/passkey/${'h'.repeat(48)}`],
    ['wallet', passkeyPath],
  ] as const) {
    expect((await get(site, path, byPress)).status, `${site} ${path}`).toBe(404)
  }
})

const authorizePath = `/apps/${id}/authorize`
async function letConnect(isOn: boolean) {
  const { db, clock } = pages().context
  await setFields(db, clock, id, [['cross_app_provider', isOn]])
  clock.advanceSeconds(2)
}

test('sends the headers of the page for a login before a cross-app connection', async () => {
  await letConnect(true)
  const answer = await get('dialog', `${authorizePath}?locale=ar`)
  expect(answer.status).toBe(200)
  // The page keeps its opener, and leaves by a form post to the wallet origin, which it does not frame.
  expect(headersOf(answer)).toMatchInlineSnapshot(`
    "cache-control: no-cache
    content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'none'; base-uri 'none'; form-action http://wallet.localhost:4000; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
    content-type: text/html; charset=utf-8
    cross-origin-opener-policy: unsafe-none
    cross-origin-resource-policy: same-origin
    etag: <etag>
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
  const config = await configIn(answer)
  expect(v.parse(dialogInlineConfigSchema, config)).toEqual(config)
  expect(config).toMatchObject({ handover: true, hostOrigin: null, isolated: false, app: { id } })
  await letConnect(false)
})

test('serves the authorize page only for a cross-app provider and on the dialog hostname', async () => {
  expect((await get('dialog', authorizePath)).status).toBe(404)
  await letConnect(true)
  expect((await get('dialog', `/apps/${'b'.repeat(25)}/authorize`)).status).toBe(404)
  expect((await get('wallet', authorizePath)).status).toBe(404)
  // No other page of the dialog may hand over a login.
  expect(await configIn(await get('dialog', dialogPath()))).not.toHaveProperty('handover')
  await letConnect(false)
})

test('sends the headers of the wallet frame', async () => {
  const answer = await get('wallet', walletPath('?caid=1&client_id=2'))
  expect(answer.status).toBe(200)
  expect(headersOf(answer)).toMatchInlineSnapshot(`
    "cache-control: no-cache
    content-security-policy: default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors http://dialog.localhost:4000 http://demo.localhost:4010 https://*.preview.example; require-trusted-types-for 'script'; trusted-types latchkey
    content-type: text/html; charset=utf-8
    cross-origin-resource-policy: same-origin
    etag: <etag>
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
})

test.each([
  ['the wallet frame', walletPath()],
  ['the cross-app wallet page', crossAppPath],
])('%s may connect only to the cloud origins that the app has enabled', async (_name, path) => {
  const { context } = pages()
  const has = async (methods: readonly string[]) => {
    await setFields(context.db, context.clock, id, [
      ['embedded_wallet_config', { user_owned_recovery_options: methods }],
    ])
    context.clock.advanceSeconds(5)
    const answer = await get('wallet', path)
    const [, connect] = /connect-src ([^;]+);/.exec(answer.headers.get('content-security-policy') ?? '') ?? []
    return [connect, (await configIn(answer)).clouds]
  }
  const drive = 'https://www.googleapis.com'
  const cloudKit = 'https://api.apple-cloudkit.com'
  expect(await has(['user-passcode', 'google-drive'])).toEqual([`'self' ${drive}`, { 'google-drive': drive }])
  expect(await has(['google-drive', 'icloud'])).toEqual([
    `'self' ${drive} ${cloudKit}`,
    { 'google-drive': drive, icloud: cloudKit },
  ])
  expect(await has(['user-passcode'])).toEqual(["'self'", {}])
})

test('sends the headers of the vault', async () => {
  expect(headersOf(await get('wallet', '/vault-Zz3_x9Qz.js'))).toMatchInlineSnapshot(`
    "cache-control: public, max-age=31536000, immutable
    content-security-policy: default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src 'none'; connect-src 'none'
    content-type: text/javascript; charset=utf-8
    cross-origin-embedder-policy: require-corp
    cross-origin-resource-policy: same-origin
    etag: <etag>
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
})

// spec W2.26, W2.27
test('sends the headers of the export page: no framing, no network, no caching', async () => {
  const answer = await get('wallet', `${walletPath()}/export?client_id=2&caid=1`)
  expect(answer.status).toBe(200)
  expect(headersOf(answer)).toMatchInlineSnapshot(`
    "cache-control: no-store
    content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types latchkey
    content-type: text/html; charset=utf-8
    cross-origin-resource-policy: same-origin
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
  // The page finds the wallet frame through its opener.
  expect(answer.headers.has('cross-origin-opener-policy')).toBe(false)
  expect(v.parse(walletInlineConfigSchema, await configIn(answer))).toMatchObject({ appId: id })
  const again = await get('wallet', `${walletPath()}/export`, { 'if-none-match': '*' })
  expect(again.status).toBe(200)
})

test('sends the import page the same policy, but allows framing by the dialog under the app’s hosts', async () => {
  const showing = await get('wallet', `${walletPath()}/export`)
  const taking = await get('wallet', `${walletPath()}/import`)
  const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''
  expect(policyOf(taking)).toBe(
    policyOf(showing).replace(
      "frame-ancestors 'none'",
      'frame-ancestors http://dialog.localhost:4000 http://demo.localhost:4010 https://*.preview.example',
    ),
  )
  expect(taking.headers.get('cache-control')).toBe('no-store')
  const isolated = await get('wallet', `${walletPath()}/import?coi=1`)
  expect(isolated.headers.get('cross-origin-embedder-policy')).toBe('credentialless')
})

test('sends the vaults of the export and import pages the same policy as the other vault', async () => {
  const [vault, ...ofPages] = [
    await get('wallet', '/vault-Zz3_x9Qz.js'),
    await get('wallet', '/export-vault-Yy3_x9Qz.js'),
    await get('wallet', '/import-vault-Zz3_x9Qz.js'),
  ]
  for (const ofPage of ofPages) expect(headersOf(ofPage)).toBe(headersOf(vault))
})

test('sends the headers of an asset', async () => {
  expect(headersOf(await get('dialog', '/assets/index-Ab3_x9Qz.js'))).toMatchInlineSnapshot(`
    "cache-control: public, max-age=31536000, immutable
    content-security-policy: default-src 'none'; frame-ancestors 'none'
    content-type: text/javascript; charset=utf-8
    cross-origin-resource-policy: same-origin
    etag: <etag>
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
})

test('sends the headers of the loader', async () => {
  expect(headersOf(await get('dialog', '/loader/v1/loader.js'))).toMatchInlineSnapshot(`
    "access-control-allow-origin: *
    cache-control: public, max-age=300
    content-security-policy: default-src 'none'; frame-ancestors 'none'
    content-type: text/javascript; charset=utf-8
    cross-origin-resource-policy: cross-origin
    etag: <etag>
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    vary: accept-encoding
    x-content-type-options: nosniff"
  `)
})

test('sends the ES module with the headers of the loader', async () => {
  const [module, script] = await Promise.all([
    get('dialog', '/loader/v1/latchkey.js'),
    get('dialog', '/loader/v1/loader.js'),
  ])
  expect(module.status).toBe(200)
  expect(headersOf(module)).toBe(headersOf(script))
})

test('sends the headers of an API response', async () => {
  expect(headersOf(await get('dialog', `/api/v1/apps/${id}`))).toMatchInlineSnapshot(`
    "cache-control: no-store
    content-security-policy: default-src 'none'; frame-ancestors 'none'
    content-type: application/json
    cross-origin-resource-policy: same-origin
    origin-agent-cluster: ?1
    permissions-policy: <denied>, publickey-credentials-get=(self), publickey-credentials-create=(self), otp-credentials=(self), clipboard-write=(self)
    referrer-policy: no-referrer
    strict-transport-security: max-age=63072000; includeSubDomains
    x-content-type-options: nosniff"
  `)
})

test('inserts the complete config and the host origin into the dialog', async () => {
  const config = await configIn(await get('dialog', dialogPath(`?origin=${hostOrigin}`)))
  expect(v.parse(dialogInlineConfigSchema, config)).toEqual(config)
  expect(config).toMatchObject({
    hostOrigin,
    dialogOrigin: 'http://dialog.localhost:4000',
    walletOrigin: 'http://wallet.localhost:4000',
    apiOrigin: 'http://dialog.localhost:4000',
    sessionMode: 'storage',
    isolated: false,
    app: { id, name: 'Fieldnotes' },
  })
})

test('preconnects the dialog to the wallet origin before its scripts load', async () => {
  const html = await (await get('dialog', dialogPath(`?origin=${hostOrigin}`))).text()
  expect(html).toContain('<link rel="preconnect" href="http://wallet.localhost:4000">')
  expect(html).not.toContain('<!--')
  expect(html.indexOf('preconnect')).toBeLessThan(html.indexOf('<script'))
})

test('inserts the config into the wallet frame', async () => {
  const config = await configIn(await get('wallet', walletPath()))
  expect(v.parse(walletInlineConfigSchema, config)).toEqual(config)
  expect(config.hostOrigins).toEqual([hostOrigin, 'https://*.preview.example'])
})

test('passes the host key setting of the app to the wallet frame and the import page', async () => {
  const { db, clock } = pages().context
  for (const isAllowed of [true, false]) {
    await setFields(db, clock, id, [['embedded_wallet_config.host_key_import', isAllowed]])
    clock.advanceSeconds(2)
    for (const path of [walletPath(), `${walletPath()}/import`])
      expect(await configIn(await get('wallet', path)), path).toMatchObject({ hostKeyImport: isAllowed })
  }
})

test('allows framing by the exact origin of a preview deployment, not by the wildcard', async () => {
  const answer = await get('dialog', dialogPath('?origin=https://pr-7.preview.example'))
  expect(answer.headers.get('content-security-policy')).toContain(
    'frame-ancestors https://pr-7.preview.example;',
  )
})

test.each([
  'http://evil.example',
  'null',
  '',
  `${hostOrigin}/`,
  'http://demo.localhost:4010.evil.example',
  'https://a.b.preview.example',
  'https://preview.example',
  "http://demo.localhost:4010; script-src 'unsafe-inline'",
])('serves the origin %j a page without config that can not be framed', async (origin) => {
  const answer = await get('dialog', dialogPath(`?origin=${encodeURIComponent(origin)}`))
  expect(answer.status).toBe(403)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
  const text = await answer.text()
  expect(text).not.toContain('latchkey-config')
  expect(text).not.toContain('evil')
})

test('serves the dialog without an origin with no host and no framing', async () => {
  const answer = await get('dialog', dialogPath())
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(await configIn(answer)).toMatchObject({ hostOrigin: null })
})

test('adds the app’s icon to top-level pages only', async () => {
  const { db, clock } = pages().context
  const iconUrl = 'https://fieldnotes.example/icon.png?of="them"'
  const link = '<link rel="icon" href="https://fieldnotes.example/icon.png?of=&quot;them&quot;">'
  const opened = {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  const all = () =>
    Promise.all(
      [dialogPath(), `/apps/${id}/passkey/${'h'.repeat(48)}`, dialogPath(`?origin=${hostOrigin}`)].map(
        async (path) => {
          const answer = await get('dialog', path, opened)
          expect([path, answer.status]).toEqual([path, 200])
          return (await answer.text()).split(link).length - 1
        },
      ),
    )
  expect(await all()).toEqual([0, 0, 0])
  await setFields(db, clock, id, [['icon_url', iconUrl]])
  clock.advanceSeconds(2)
  expect(await all()).toEqual([1, 1, 0])
  await setFields(db, clock, id, [['icon_url', null]])
  clock.advanceSeconds(2)
})

test('allows the app’s own image URLs, and from other sites only the hosts of its images', async () => {
  const { db, clock } = pages().context
  const imagesOf = async (path: string) => {
    const answer = await get('dialog', path, byPress)
    expect([path, answer.status]).toEqual([path, 200])
    return /img-src ([^;]*);/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
  }
  const set = async (logo: string | null, icon: string | null) => {
    await setFields(db, clock, id, [
      ['logo_url', logo],
      ['icon_url', icon],
    ])
    clock.advanceSeconds(2)
  }
  await set('https://cdn.example:8443/a;b/logo.svg?v=2#x', 'https://cdn.example/icon.png')
  const named = "'self' data: https://cdn.example:8443/a%3Bb/logo.svg https://cdn.example/icon.png"
  expect(await imagesOf(dialogPath())).toBe(named)
  expect(await imagesOf(`/apps/${id}/passkey/${'h'.repeat(48)}`)).toBe(named)
  expect(await imagesOf(dialogPath(`?origin=${hostOrigin}`))).toBe(
    "'self' data: http://demo.localhost:4010 https://cdn.example:8443/a%3Bb/logo.svg https://cdn.example/icon.png",
  )
  const nowhere = ['https://cdn.example;script-src/x', 'https://*.example/x.png', 'https://a b/x.png']
  for (const address of nowhere) {
    await set(address, 'data:image/png;base64,AAAA')
    expect(await imagesOf(dialogPath())).toBe("'self' data:")
  }
  await set(null, null)
})

test('an app name can not close the script element of the config', async () => {
  const { db, clock } = pages().context
  const name = '</script><script>alert(1)</script><!--'
  await setFields(db, clock, id, [['name', name]])
  clock.advanceSeconds(2)
  const answer = await get('dialog', dialogPath())
  const text = await answer.clone().text()
  expect(text.match(/<script/g)).toHaveLength(2)
  expect(await configIn(answer)).toMatchObject({ app: { name } })
  await setFields(db, clock, id, [['name', 'Fieldnotes']])
  clock.advanceSeconds(2)
})

test('compresses no page for a wildcard match, and compresses those for listed origins', async () => {
  const load = (origin: string) => get('dialog', dialogPath(`?origin=${origin}`), { 'accept-encoding': 'br' })
  for (let label = 0; label < 20; label += 1) {
    const origin = `https://pr-${label}.preview.example`
    const answer = await load(origin)
    expect(answer.status).toBe(200)
    // A compressed file would be sent compressed to clients that accept it.
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(answer.headers.get('content-security-policy')).toContain(`frame-ancestors ${origin};`)
    expect(await configIn(answer)).toMatchObject({ hostOrigin: origin })
  }
  expect((await load(hostOrigin)).headers.get('content-encoding')).toBe('br')
})

test('compresses a page again only if it changed, not whenever its app is reread', async () => {
  const app = (await pages().context.apps.find(id)) ?? expect.unreachable()
  const remembered = createPageCache()
  const file = async (text: string, { html = '<p>', policy = "img-src 'self'" } = {}) => {
    const headers = { 'content-security-policy': policy }
    return (await remembered('dialog', { ...app }, html, () => ({ text, headers }))).file
  }
  const first = await file('Fieldnotes')
  expect(await file('Fieldnotes')).toBe(first)
  expect(await file('Fieldnotes', { html: '<p class>' })).toBe(first)
  expect((await file('Notes')).etag).not.toBe(first.etag)
  expect((await file('Fieldnotes', { policy: "img-src 'none'" })).etag).not.toBe(first.etag)
})

test('allows a new provider of the app immediately, even if a browser cached the page', async () => {
  const { context } = pages()
  const { db, clock } = context
  const load = (headers: Readonly<Record<string, string>> = {}) =>
    get('dialog', dialogPath(`?origin=${hostOrigin}`), headers)
  const before = await load()
  const kept = { 'if-none-match': before.headers.get('etag') ?? '' }
  expect((await load(kept)).status).toBe(304)
  const described = {
    issuer: 'https://harbour.example/apps/b/openid',
    appId: 'b'.repeat(25),
    name: 'Harbour',
    iconUrl: 'https://cdn.example/harbour.png',
    customApiUrl: null,
    endpoints: { authorization: '', token: '', jwks: '', revocation: null },
  }
  const registration = { described, ownName: null, ownIconUrl: null, readOnly: false }
  await registerProvider(context, id, registration)
  clock.advanceSeconds(2)
  const after = await load(kept)
  expect(after.status).toBe(200)
  const policy = after.headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain("connect-src 'self' https://harbour.example")
  expect(policy).toContain(`img-src 'self' data: ${hostOrigin} https://cdn.example/harbour.png`)
  await removeProvider(db, id, described.appId)
  clock.advanceSeconds(2)
  expect((await load()).headers.get('content-security-policy')).toBe(
    before.headers.get('content-security-policy'),
  )
})

test.each([
  ['wallet', dialogPath(`?origin=${hostOrigin}`)],
  ['dialog', walletPath()],
  ['dialog', `${walletPath()}/export`],
  ['wallet', '/loader/v1/loader.js'],
  ['wallet', '/loader/v1/latchkey.js'],
  ['dialog', '/vault-Zz3_x9Qz.js'],
  ['wallet', '/favicon.svg'],
  ['elsewhere', dialogPath()],
  ['elsewhere', walletPath()],
  ['elsewhere', '/loader/v1/loader.js'],
  ['elsewhere', '/assets/index-Ab3_x9Qz.js'],
  ['elsewhere', `/api/v1/apps/${id}`],
  ['wallet', '/loader/1.1.0/loader-more.js'],
  ['dialog', '/index.html'],
  ['dialog', '/open.html'],
  ['dialog', '/.vite/manifest.json'],
  ['dialog', '/.env.js'],
  ['dialog', '/notes.txt'],
  ['dialog', '/secret.js'],
  ['dialog', '/assets/index-Ab3_x9Qz.js.br'],
  ['dialog', '/assets/index-Ab3_x9Qz.js.gz'],
  ['dialog', '/assets'],
  ['dialog', '/loader/v1/loader-more.js'],
  ['dialog', '/loader/1.0.0/loader-more.js'],
  ['dialog', '/loader/1.1.0/index.js'],
  ['dialog', '/loader/1.1.0/loader.js.br'],
  ['dialog', '/loader/9.9.9/loader.js'],
  ['dialog', '/loader/constructor/loader.js'],
  ['dialog', '/'],
  ['dialog', '/assets/../../package.json'],
  ['dialog', '/%2e%2e/%2e%2e/package.json'],
  ['dialog', '/apps/unknown/dialog'],
  ['wallet', `/apps/${'b'.repeat(25)}/embedded-wallets`],
  ['dialog', '/api/v1/unknown'],
])('finds on the %s hostname no %s', async (site, path) => {
  const answer = await get(site, path)
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ code: 'not_found' })
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
})

test('allows any page to read the status of an app, and nothing else', async () => {
  const status = (query: string) =>
    get('dialog', `/api/v1/apps/${query}`, { origin: 'https://anybody.example' })
  const listed = await status(`${id}/status?origin=${hostOrigin}`)
  expect(listed.headers.get('access-control-allow-origin')).toBe('*')
  expect(listed.headers.get('access-control-allow-credentials')).toBeNull()
  expect(await listed.json()).toEqual({ status: 'ok' })
  const unlisted = await status(`${id}/status?origin=https://evil.example`)
  expect(await unlisted.json()).toEqual({ status: 'origin_not_allowed' })
  expect(await (await status(`${'b'.repeat(25)}/status?origin=${hostOrigin}`)).json()).toEqual({
    status: 'unknown_app',
  })
  expect((await status(id)).headers.get('access-control-allow-origin')).toBeNull()
})

// spec L7.8
test('serves the app config in snake case', async () => {
  const answer = await get('dialog', `/api/v1/apps/${id}`)
  expect(await answer.json()).toMatchObject({
    id,
    logo_url: null,
    email_auth: true,
    created_at: expect.any(Number),
  })
  const unknown = await get('dialog', `/api/v1/apps/${'b'.repeat(25)}`)
  expect([unknown.status, (await unknown.json()).code]).toEqual([400, 'missing_or_invalid_latchkey_app_id'])
})

test('allows CORS on the app’s API hostname for the dialog and the wallet frame only', async () => {
  const preflight = (origin: string) =>
    pages().server.request('https://api.app.example/api/v1/sessions', {
      method: 'OPTIONS',
      headers: { host: 'api.app.example', origin, 'access-control-request-method': 'POST' },
    })
  for (const site of ['dialog', 'wallet']) {
    const origin = `http://${site}.localhost:4000`
    const answer = await preflight(origin)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    expect(answer.headers.get('access-control-allow-headers')).toContain('latchkey-request-id')
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET,POST,DELETE')
    expect(answer.headers.get('access-control-max-age')).toBe('600')
    expect(answer.headers.get('vary')?.toLowerCase()).toContain('origin')
    const call = await pages().server.request(`https://api.app.example/api/v1/apps/${id}`, {
      headers: { host: 'api.app.example', origin },
    })
    expect(call.headers.get('access-control-allow-origin')).toBe(origin)
    expect(call.headers.get('access-control-expose-headers')).toBe('retry-after,date')
    expect(call.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
  for (const origin of ['http://dialog.localhost:4001', 'https://dialog.localhost:4000', 'null']) {
    expect((await preflight(origin)).headers.get('access-control-allow-origin'), origin).toBeNull()
  }
  const stranger = await preflight('https://anybody.example')
  expect(stranger.headers.get('access-control-allow-origin')).toBeNull()
  const own = await get('dialog', `/api/v1/apps/${id}`, { origin: 'http://wallet.localhost:4000' })
  expect(own.headers.get('access-control-allow-origin')).toBeNull()
})

test('serves the token verification keys on any hostname, for backends in private networks', async () => {
  const { keys } = await (await get('dialog', '/.well-known/jwks.json')).json()
  expect(keys).toMatchObject([{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }])
  for (const host of ['wallet', 'elsewhere']) {
    const answer = await get(host, '/.well-known/jwks.json')
    expect([answer.status, await answer.json()]).toEqual([200, { keys }])
  }
})

/** The readiness checks in the response when all pass. */
const allMet = {
  serving: { met: true, means: 'The process takes calls and is not shutting down' },
  database: { met: true, means: 'The database answers and has the tables of this release' },
  keys: { met: true, means: 'The master key file opens the keys in the database' },
  pages: { met: true, means: 'The pages of dialog, wallet and loader are built' },
}

test('checks readiness while a writer holds the database lock', async () => {
  const { context } = pages()
  const ready = await context.transaction(async () => (await get('any', '/readyz')).json())
  expect(ready).toMatchObject({ ready: true, problems: [], checks: allMet })
})

test('lists every call in the API description with its wire names', async () => {
  const { paths } = await (await get('dialog', '/api/v1/openapi.json')).json()
  const login = paths['/api/v1/passwordless/authenticate'].post
  expect(login.responses[200].content['application/json'].schema.properties).toHaveProperty('is_new_user')
  expect(login.responses[422].description).toContain('invalid_credentials')
  expect(paths['/api/v1/sessions'].post.requestBody.content['application/json'].schema).toMatchObject({
    type: 'object',
    properties: { refresh_token: {} },
    required: [],
  })
})

test('marks calls that start or renew a session in the API description as needing a proof and its id', async () => {
  const { paths } = await (await get('dialog', '/api/v1/openapi.json')).json()
  type Parameter = { name: string; in: string; required: boolean }
  const needed = (path: string, method = 'post') =>
    (paths[`/api/v1${path}`][method].parameters as readonly Parameter[])
      .filter((parameter) => parameter.in === 'header' && parameter.required)
      .map(({ name }) => name)
  const proven = [
    '/sessions',
    '/sessions/fork/recover',
    '/sessions/code/redeem',
    '/passwordless/authenticate',
    '/passwordless_sms/authenticate',
    '/oauth/authenticate',
    '/telegram/authenticate',
    '/siwe/authenticate',
    '/farcaster/authenticate',
    '/passkeys/authenticate',
    '/custom_jwt_account/authenticate',
    '/passwordless/link',
    '/sessions/revoke_all',
  ]
  const all = ['dpop', 'latchkey-app-id', 'latchkey-request-id', 'origin']
  for (const path of proven) expect(needed(path).sort(), path).toEqual(all)
  for (const path of ['/passwordless/init', '/oauth/init', '/sessions/logout', '/analytics_events'])
    expect(needed(path).sort(), path).toEqual(['latchkey-app-id', 'origin'])
})

test('is ready when all checks pass, and otherwise names the missing parts', async () => {
  const ready = await get('any', '/readyz')
  const { release } = pages().context.config
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { ready: true, release, problems: [], checks: allMet },
  ])
  expect((await get('any', '/healthz')).status).toBe(200)
  const { context } = pages()
  const missing = { ...context, config: { ...context.config, dialogDist: '/nowhere/dialog' } }
  const answer = await createApp(missing, { isMigrated: async () => false }).request('/readyz')
  expect(answer.status).toBe(503)
  const said = await answer.json()
  expect(said.problems).toEqual([
    'The database has tables of an earlier release',
    'The dialog is not built: /nowhere/dialog/index.html is missing',
    'The passkey page is not built: /nowhere/dialog/passkey.html is missing',
  ])
  const met = Object.entries<{ met: boolean }>(said.checks).map(([name, check]) => [name, check.met])
  expect(Object.fromEntries(met)).toEqual({ serving: true, database: false, keys: true, pages: false })
})

test('is not ready but alive while it shuts down', async () => {
  const { context, isMigrated } = pages()
  const ending = createApp(context, { isMigrated, isEnding: () => true })
  const answer = await ending.request('/readyz')
  expect(answer.status).toBe(503)
  expect(await answer.json()).toEqual({
    ready: false,
    release: context.config.release,
    problems: ['This process is shutting down'],
    checks: { ...allMet, serving: { ...allMet.serving, met: false } },
  })
  expect((await ending.request('/healthz')).status).toBe(200)
})

test('is not ready but alive if it can not reload its keys', async () => {
  const { context, isMigrated } = pages()
  let hasKeys = true
  const server = createApp(context, { isMigrated, hasKeys: () => hasKeys })
  expect((await server.request('/readyz')).status).toBe(200)
  hasKeys = false
  const answer = await server.request('/readyz')
  expect(answer.status).toBe(503)
  expect(await answer.json()).toEqual({
    ready: false,
    release: context.config.release,
    problems: ['The keys cannot be read: put the master key file of rotate prepare on this machine'],
    checks: { ...allMet, keys: { ...allMet.keys, met: false } },
  })
  expect((await server.request('/healthz')).status).toBe(200)
})

test('queries the database for readiness at most once in half a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { context } = pages()
    let asked = 0
    const server = createApp(context, {
      isMigrated: async () => {
        asked += 1
        return true
      },
    })
    for (let asker = 0; asker < 100; asker += 1) {
      expect((await server.request('/readyz')).status).toBe(200)
    }
    expect(asked).toBe(1)
    vi.advanceTimersByTime(500)
    await server.request('/readyz')
    expect(asked).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

test('refuses a rate-limited address before it looks up the app or a stored loader', async () => {
  const { context, isMigrated } = pages()
  const server = createApp(context, { isMigrated })
  const find = vi.spyOn(context.apps, 'find')
  const get = (path: string, remoteAddress: string) =>
    server.request(
      `http://dialog.localhost:4000${path}`,
      { headers: { host: 'dialog.localhost:4000' } },
      { incoming: { socket: { remoteAddress } } },
    )
  const load = (appId: string, remoteAddress: string) => get(`/apps/${appId}/dialog`, remoteAddress)
  const unknown = (visit: number) => String(visit).padStart(25, 'x')
  for (let visit = 0; visit < 3_000; visit += 1) {
    expect((await load(unknown(visit), '203.0.113.7')).status).toBe(404)
  }
  find.mockClear()
  const refused = await load(unknown(3_000), '203.0.113.7')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(find).not.toHaveBeenCalled()
  expect((await load(id, '203.0.113.8')).status).toBe(200)
  expect((await get(`/loader/${'x'.repeat(22)}/loader.js`, '203.0.113.7')).status).toBe(429)
  expect((await get('/loader/1.1.0/loader.js', '203.0.113.7')).status).toBe(200)
  find.mockRestore()
})
