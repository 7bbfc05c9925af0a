/** How an operator registers providers, and what the dialog receives about them. */
import { createPrivateKey } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { dialogPolicy } from '../../kernel/http/pages/headers.ts'
import { type CrossAppFixture, crossAppFixture } from './testing/fixture.ts'
import { json, startScriptedProvider } from './testing/scripted-provider.ts'

const harbour = await startScriptedProvider()
afterAll(() => harbour.close())

forDefaultEngine((database) => {
  let fixture: CrossAppFixture
  beforeEach(async () => {
    harbour.reset()
    fixture = await crossAppFixture(database())
  })
  const describes = (change: object) =>
    harbour.on('/.well-known/openid-configuration', json({ ...harbour.metadata, ...change }))
  const rows = () =>
    fixture.context.db
      .withTables<{ cross_app_providers: Record<string, string> }>()
      .selectFrom('cross_app_providers')
      .selectAll()
      .execute()

  describe('the command', () => {
    test('registers a provider from its metadata, and prints how the provider enables the app', async () => {
      const { operator, app } = fixture
      const { type, lines } = await operator('add', harbour.issuer)
      expect(type).toBe('done')
      expect(lines.slice(0, 4)).toEqual([
        `provider ${harbour.appId}`,
        'name     Harbour',
        `issuer   ${harbour.issuer}`,
        `client   ${app.id}`,
      ])
      const redirect = `http://dialog.localhost:4000/oauth/callback/latchkey:${harbour.appId}`
      expect(lines).toContain(`redirect ${redirect}`)
      const key = JSON.parse(lines.find((line) => line.startsWith('key'))?.slice(9) ?? '')
      expect(key).toEqual({
        kty: 'EC',
        crv: 'P-256',
        x: expect.stringMatching(/^[\w-]{43}$/),
        y: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      })
      expect(lines.at(-1)).toBe(
        `latchkey app requesters ${harbour.appId} add ${app.id} --name 'Fieldnotes' ` +
          `--origin 'http://demo.localhost:4010' --redirect '${redirect}' --key '${JSON.stringify(key)}'`,
      )
    })

    test('stores the private key wrapped', async () => {
      await fixture.operator('add', harbour.issuer)
      const [row = {}] = await rows()
      expect(row.public_key).not.toContain('"d"')
      for (const encoding of ['base64', 'base64url', 'utf8'] as const) {
        const key = Buffer.from(row.private_key ?? '', encoding)
        expect(() => createPrivateKey({ key, format: 'der', type: 'pkcs8' })).toThrow()
      }
    })

    test('lists, updates and removes providers', async () => {
      const { operator } = fixture
      expect(await operator()).toEqual({ type: 'done', lines: [] })
      await operator('add', harbour.issuer, '--name', 'The Harbour', '--read-only')
      expect((await operator('list')).lines).toEqual(
        expect.arrayContaining([`provider ${harbour.appId}  read only`, 'name     The Harbour']),
      )
      describes({ latchkey_app_name: 'Quay', latchkey_custom_api_url: 'http://api.localhost:4444' })
      const { lines } = await operator('refresh', harbour.appId)
      expect(lines).toEqual(
        expect.arrayContaining([
          'name     The Harbour',
          'it says  Quay',
          'api      http://api.localhost:4444',
        ]),
      )
      expect(await operator('remove', harbour.appId)).toMatchObject({ type: 'done' })
      expect(await operator('remove', harbour.appId)).toEqual({
        type: 'refused',
        lines: [`App ${fixture.app.id} has no provider ${harbour.appId}.`],
      })
      expect(await operator('list')).toEqual({ type: 'done', lines: [] })
    })

    test('registers a provider once, and keeps its key', async () => {
      await fixture.operator('add', harbour.issuer)
      const before = await rows()
      expect(await fixture.operator('add', harbour.issuer)).toEqual({
        type: 'refused',
        lines: [
          `App ${fixture.app.id} has the provider ${harbour.appId} already. Refresh it, or remove it first.`,
        ],
      })
      expect(await rows()).toEqual(before)
    })

    test.each([
      [['add'], /^misused$/],
      [['refresh', 'x'.repeat(25)], /has no provider/],
      [['sell', 'x'], /^misused$/],
      [['add', harbour.issuer, 'and more'], /^misused$/],
      [['add', harbour.issuer, '--name', ' '], /^--name must not be empty/],
      [['add', harbour.issuer, '--name', 'Har\u202ebour'], /^--name must not have characters/],
      [['add', harbour.issuer, '--icon', 'http://cdn.example/x.png'], /^--icon must be the https address/],
      [['add', 'http://harbour.example/apps/x/openid'], /is no issuer/],
      [['add', `${harbour.issuer}/`], /is no issuer/],
      [['add', `${harbour.issuer}?x=1`], /is no issuer/],
      [['add', 'https://10.0.0.1/apps/x/openid'], /could not be read: 10.0.0.1 is an internal address/],
      [['add', `${harbour.origin}/apps/other/openid`], /answers with 404/],
    ] as const)('refuses %j', async (args, says) => {
      const { type, lines } = await fixture.operator(...args)
      expect(lines.join('\n') || type).toMatch(says)
      expect(await rows()).toEqual([])
    })
  })

  describe('invalid metadata', () => {
    test.each([
      [{ issuer: 'https://other.example/openid' }, 'issuer: it calls itself https://other.example/openid'],
      [{ token_endpoint: 'https://other.example/token' }, /^token_endpoint: it is not on http:\/\/localhost/],
      [{ jwks_uri: 'https://other.example/jwks' }, /^jwks_uri: it is not on/],
      [{ authorization_endpoint: 'javascript:alert(1)' }, /^authorization_endpoint: it is not on/],
      [{ revocation_endpoint: 'http://127.0.0.1:9/x' }, /^revocation_endpoint: it is not on/],
      [{ authorization_response_iss_parameter_supported: false }, /must be true/],
      [{ code_challenge_methods_supported: ['plain'] }, /must list S256/],
      [{ token_endpoint_auth_methods_supported: ['none'] }, /must list private_key_jwt/],
      [{ dpop_signing_alg_values_supported: undefined }, /must list ES256/],
      [{ id_token_signing_alg_values_supported: ['HS256', 'none'] }, /must list ES256/],
      [{ latchkey_app_id: 'x/../y' }, /^latchkey_app_id/],
      [{ latchkey_app_name: '\u202eHarbour' }, /^latchkey_app_name/],
      [{ latchkey_app_name: 'x'.repeat(101) }, /^latchkey_app_name/],
      [{ latchkey_custom_api_url: 'http://api.example' }, /^latchkey_custom_api_url/],
      [{ latchkey_custom_api_url: 'https://api.example/path' }, /^latchkey_custom_api_url/],
      [
        { latchkey_custom_api_url: "https://api.example; script-src 'unsafe-inline'" },
        /^latchkey_custom_api/,
      ],
    ])('rejects metadata with %j', async (change, says) => {
      describes(change)
      const refused = await fixture.operator('add', harbour.issuer)
      expect(refused.type).toBe('refused')
      if (typeof says === 'string') expect(refused.lines).toEqual([says])
      else expect(refused.lines.join('\n')).toMatch(says)
      expect(await rows()).toEqual([])
    })

    test('rejects redirects, invalid JSON and oversized metadata', async () => {
      const refused = async () => (await fixture.operator('add', harbour.issuer)).lines.join('\n')
      let isFollowed = false
      harbour.on('/elsewhere', (response) => {
        isFollowed = true
        response.end(JSON.stringify(harbour.metadata))
      })
      harbour.on('/.well-known/openid-configuration', (response) =>
        response.writeHead(302, { location: `${harbour.issuer}/elsewhere` }).end(),
      )
      expect(await refused()).toContain('responded with 302, and redirects are not followed')
      expect(isFollowed).toBe(false)
      harbour.on('/.well-known/openid-configuration', (response) => response.end('<html>'))
      expect(await refused()).toContain('could not be read')
      harbour.on('/.well-known/openid-configuration', (response) => response.end(' '.repeat(262_145)))
      expect(await refused()).toContain('The response is longer than 262144 bytes')
      expect(await rows()).toEqual([])
    })

    test('rejects metadata of another app at the registered URL', async () => {
      await fixture.operator('add', harbour.issuer)
      const before = await rows()
      describes({ latchkey_app_id: 'x'.repeat(25) })
      expect(await fixture.operator('refresh', harbour.appId)).toEqual({
        type: 'refused',
        lines: [`latchkey_app_id: the provider now calls itself ${'x'.repeat(25)}.`],
      })
      describes({ token_endpoint: 'https://other.example/token' })
      expect(await fixture.operator('refresh', harbour.appId)).toMatchObject({ type: 'refused' })
      expect(await rows()).toEqual(before)
    })
  })

  // spec W7.14, W3.9
  test('anyone may read the connections of an app as registered', async () => {
    describes({ latchkey_custom_api_url: 'http://api.localhost:4444' })
    await fixture.operator('add', harbour.issuer, '--read-only', '--icon', 'https://cdn.example/own.png')
    expect(await fixture.browser.call('crossAppConnections')).toMatchObject({
      status: 200,
      answer: {
        connections: [
          {
            provider_app_id: harbour.appId,
            provider_app_name: 'Harbour',
            provider_app_icon_url: 'https://cdn.example/own.png',
            provider_app_custom_api_url: 'http://api.localhost:4444',
            read_only: true,
            issuer: harbour.issuer,
            token_endpoint: harbour.tokenEndpoint,
          },
        ],
      },
    })
    const other = fixture.newBrowser(await fixture.newApp())
    expect(await other.call('crossAppConnections')).toMatchObject({ answer: { connections: [] } })
  })

  test('the dialog may call its providers and show their icons as soon as they are registered', async () => {
    const policy = async () => {
      const { context, app } = fixture
      context.clock.advanceSeconds(2)
      const now = (await context.apps.find(app.id)) ?? expect.unreachable()
      const sources = await context.capabilities.sourcesFor(now, context.db)
      const page = { ancestors: [], walletOrigin: 'http://wallet.test', customApiUrl: null, images: [] }
      return dialogPolicy({ ...page, sources })
        .split('; ')
        .filter((directive) => /^(connect|img)-src/.test(directive))
    }
    expect(await policy()).toEqual(["img-src 'self' data:", "connect-src 'self'"])
    describes({ latchkey_custom_api_url: 'http://api.localhost:4444' })
    await fixture.operator('add', harbour.issuer)
    expect(await policy()).toEqual([
      "img-src 'self' data: https://cdn.harbour.example/icon.png",
      `connect-src 'self' ${harbour.origin} http://api.localhost:4444`,
    ])
    await fixture.operator('remove', harbour.appId)
    expect(await policy()).toEqual(["img-src 'self' data:", "connect-src 'self'"])
  })
})
