/** Browser tests of a host page: the script tag, the stub, the module, preloading. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import {
  apps,
  closePage,
  dialogFrame,
  dialogOrigin,
  loaded,
  policy,
  ports,
  readDialogEvents,
  renderPage,
  runCall,
  servers,
  strict,
  tag,
  visit,
} from './stage.ts'

test('a host with a strict policy logs in with the script tag, without a violation', async () => {
  const {
    page: host,
    violations,
    errors,
  } = await visit('/strict', {
    headers: policy(strict),
    html: renderPage(
      `<button id="login">Log in</button>${tag(apps.demo, 'data-accent="#336699" data-theme="dark" data-preload="now"')}`,
    ),
  })
  await loaded(host)
  await host.focus('#login')
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  const box = await host.locator('iframe').boundingBox()
  assert.deepEqual(box, { x: 0, y: 0, width: 800, height: 600 })
  assert.equal(await host.evaluate(() => document.activeElement?.tagName), 'IFRAME')
  await dialogFrame(host).locator('#ok').click()
  const { end } = await result
  assert.equal((end as { user: { id: string } }).user.id, 'user1')
  assert.equal(await host.evaluate(() => document.activeElement?.id), 'login')
  assert.equal(await host.locator('dialog').isVisible(), false)
  assert.deepEqual(violations, [])
  assert.deepEqual(errors, [])
  assert.equal(
    servers.frames.at(-1),
    `/apps/lkdemo0000000000000000001/dialog?origin=http%3A%2F%2Fdemo.localhost%3A${ports.host}`,
  )
  const hello = JSON.parse((await host.frames()[1]?.title()) ?? '{}')
  assert.deepEqual(hello.config, { appearance: { accentColor: '#336699', theme: 'dark' } })
  await closePage(host)
})

test('the focus moves to the nearest container if the login button was removed, and Tab continues from there', async () => {
  const { page: host } = await visit('/button-went', {
    html: renderPage(
      `<button>Before</button><main id="main"><p id="box"><button id="login">Log in</button></p>
      <button id="next">Next</button></main>${tag(apps.demo, 'data-preload="now"')}`,
    ),
  })
  await loaded(host)
  const focusedId = () => host.evaluate(() => document.activeElement?.id)
  await host.focus('#login')
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  await host.evaluate(() => document.getElementById('box')?.remove())
  await dialogFrame(host).locator('#ok').click()
  await result
  await host.locator('dialog').waitFor({ state: 'hidden' })
  assert.equal(await focusedId(), 'main')
  await host.keyboard.press('Tab')
  assert.equal(await focusedId(), 'next')
  assert.equal(await host.evaluate(() => document.getElementById('main')?.hasAttribute('tabindex')), false)

  const hidden = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  await host.evaluate(() => document.getElementById('next')?.setAttribute('hidden', ''))
  await dialogFrame(host).locator('#ok').click()
  await hidden
  await host.locator('dialog').waitFor({ state: 'hidden' })
  assert.equal(await focusedId(), 'main')
  assert.equal(await host.evaluate(() => document.getElementById('next')?.hasAttribute('tabindex')), false)
  await closePage(host)
})

test('the script and a bundle share one frame, and the last handle removes it and settles every call', async () => {
  const { page: host } = await visit('/twice', { html: renderPage(tag(apps.demo, 'data-preload="now"')) })
  await loaded(host)
  const ends = await host.evaluate(async () => {
    const { createLatchkey } = await window.importModule(`${location.origin}/index.js`)
    const one = createLatchkey({ appId: window.latchkey?.appId })
    const two = createLatchkey({ appId: one.appId, preload: 'now' })
    await Promise.all([one.ready, two.ready, window.latchkey?.ready])
    const frames = document.querySelectorAll('iframe').length
    const lost = one.signMessage('hello').catch((error: { code: string }) => error.code)
    one.destroy()
    const after = await one.getUser().catch((error: { code: string }) => error.code)
    const alive = await two.getUser()
    window.latchkey?.destroy()
    const left = document.querySelectorAll('iframe').length
    const last = two.signMessage('hello').catch((error: { code: string }) => error.code)
    two.destroy()
    return [frames, await lost, after, alive, left, await last, document.querySelectorAll('dialog').length]
  })
  assert.deepEqual(ends, [1, 'client_destroyed', 'client_destroyed', null, 1, 'client_destroyed', 0])
  await closePage(host)
})

test('concurrent callers share one token, which is requested again after a login', async () => {
  const { page: host } = await visit('/token', { html: renderPage(tag(apps.demo, 'data-preload="never"')) })
  await loaded(host)
  // This test dialog reports that no user is logged in, which drops the token, but still returns tokens.
  await host.evaluate(
    () => new Promise((ready) => [window.latchkey?.on('ready', ready), window.latchkey?.ready]),
  )
  const tokens = await host.evaluate(() =>
    Promise.all([window.latchkey?.getAccessToken(), window.latchkey?.getAccessToken()]),
  )
  assert.deepEqual(tokens, ['token1', 'token1'])
  assert.equal((await runCall(host, 'getAccessToken()')).end, 'token1')
  await host.evaluate(() => {
    const told: unknown[] = []
    Reflect.set(window, 'told', told)
    for (const name of ['login', 'token', 'open', 'close', 'logout'] as const) {
      window.latchkey?.on(name, (event) => told.push([name, 'token' in event ? event.token : undefined]))
    }
  })
  const login = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').click()
  await login
  assert.equal((await runCall(host, 'getAccessToken()')).end, 'token2')
  await runCall(host, 'logout()')
  assert.deepEqual(await host.evaluate(() => Reflect.get(window, 'told')), [
    ['open', undefined],
    ['close', undefined],
    ['login', undefined],
    ['token', 'token2'],
    ['token', undefined],
    ['logout', undefined],
  ])
  assert.equal((await runCall(host, 'getAccessToken()')).end, 'token3')
  await closePage(host)
})

test('the served module logs in without a dialog URL, beside a script tag of the same app, under a strict policy', async () => {
  const module = `<script type="module" nonce="r4nd0m">
    import { createLatchkey } from '${dialogOrigin}/loader/v1/latchkey.js'
    window.handle = createLatchkey({ appId: '${apps.demo}', preload: 'never' })
    try { createLatchkey() } catch ({ code }) { window.refused = code }
  </script>`
  const {
    page: host,
    violations,
    errors,
  } = await visit('/served-module', {
    headers: policy(strict.replace('script-src', "script-src 'nonce-r4nd0m'")),
    html: renderPage(module + tag(apps.demo)),
  })
  await host.waitForFunction('window.handle')
  await loaded(host)
  const login = host.evaluate('handle.login()')
  await dialogFrame(host).locator('#ok').click()
  assert.equal(((await login) as { user: { id: string } }).user.id, 'user1')
  assert.equal(await host.locator('iframe').count(), 1)
  assert.equal(await host.evaluate('refused'), 'missing_or_invalid_latchkey_app_id')
  assert.deepEqual(violations, [])
  assert.deepEqual(errors, [])
  await closePage(host)
})

const stub = () => {
  const text = readFileSync(join(import.meta.dirname, '../start/queue-stub.txt'), 'utf8')
  return /<script>\n([\s\S]*?)<\/script>/.exec(text)?.[1] ?? ''
}
const early = `window.kept = window.latchkey; window.early = kept.getAccessToken(); window.wasReady = kept.ready; window.unknown = kept.fly().catch((error) => error.code); window.told = []; window.off = kept.on('open', () => told.push('open')); kept.on('ready', () => told.push('ready'))`

test('the queue stub serves calls from before the script loaded', async () => {
  const { page: host } = await visit('/stub', {
    html: renderPage(tag(apps.demo), `<script>${stub()}</script><script>${early}</script>`),
  })
  assert.equal(await host.evaluate('early'), 'token1')
  assert.deepEqual(await host.evaluate('wasReady'), { authenticated: false })
  assert.equal(await host.evaluate('kept === window.latchkey && kept.getUser()'), null)
  assert.deepEqual(await host.evaluate('kept.ready'), { authenticated: false })
  assert.equal(await host.evaluate('unknown'), 'method_not_found')
  assert.deepEqual(await host.evaluate('told'), ['ready'])
  await closePage(host)
})

test('the queue stub settles every call if the script does not load', async () => {
  const scripts = {
    dead: { src: `http://dialog.localhost:${ports.dead}/loader/v1/loader.js` },
    missing: { src: `${dialogOrigin}/loader/9.9.9/loader.js` },
    altered: { src: `${dialogOrigin}/loader/v1/loader.js`, integrity: `sha384-${'A'.repeat(64)}` },
  }
  for (const [name, attributes] of Object.entries(scripts)) {
    const written = Object.entries(attributes).map(([key, value]) => `${key}="${value}"`)
    const { page: host } = await visit(`/stub-${name}`, {
      html: renderPage(
        `<script ${written.join(' ')} crossorigin data-app-id="${apps.demo}" async></script>`,
        `<script>${stub()}</script><script>${early}</script>`,
      ),
    })
    for (const call of ['early', 'wasReady', 'latchkey.login()', 'latchkey.ready']) {
      const code = await host.evaluate(`${call}.catch((error) => error.code)`)
      assert.equal(code, 'server_unreachable', `${name}: ${call}`)
    }
    await closePage(host)
  }
})

test('the queue stub settles every call in a browser that cannot run the script', async () => {
  const { page: host } = await visit('/stub-old', {
    html: renderPage(
      `<script src="/host.js" data-app-id="${apps.demo}" async></script>`,
      `<script>${stub()}</script><script>${early}</script>`,
    ),
  })
  for (const call of ['early', 'wasReady', 'latchkey.login()']) {
    assert.equal(await host.evaluate(`${call}.catch((error) => error.code)`), 'not_supported', call)
  }
  await closePage(host)
})

test('an old browser rejects calls with a message, also those from before the script loaded', async () => {
  const { page: host } = await visit(
    '/old',
    { html: renderPage(tag(apps.demo), `<script>${stub()}</script><script>${early}</script>`) },
    async (page) => {
      await page.addInitScript('delete AbortSignal.any')
    },
  )
  assert.equal(await host.evaluate('early.catch((error) => error.code)'), 'not_supported')
  assert.match(String((await runCall(host, 'login()')).end), /not_supported:Latchkey needs a browser of 2024/)
  assert.equal(await host.locator('dialog').count(), 0)
  await closePage(host)
})

// spec L2.9
test('a one-time code is removed from the address and sent to the dialog before any call', async () => {
  servers.hosts.set('/code', { html: renderPage(tag(apps.demo, 'data-preload="never"')) })
  const { page: host } = await visit('/code?latchkey_token=once&page=2', { html: '' })
  await loaded(host)
  assert.match(host.url(), /\/code\?page=2$/)
  await host.locator('iframe').waitFor({ state: 'attached' })
  await runCall(host, 'getUser()')
  assert.equal(JSON.parse((await host.frames()[1]?.title()) ?? '{}').parameters, 'latchkey_token=once')
  await closePage(host)
})

test('preload never creates no frame before a call, and idle creates one by itself', async () => {
  const never = await visit('/never', { html: renderPage(tag(apps.demo, 'data-preload="never"')) })
  const idle = await visit('/idle', { html: renderPage(tag(apps.demo)) })
  await loaded(never.page)
  await idle.page.locator('iframe').waitFor({ state: 'attached' })
  assert.equal(await never.page.locator('iframe').count(), 0)
  await closePage(never.page)
  await closePage(idle.page)
})

test('only a frame that is created for a waiting user has the parameter open', async () => {
  for (const [call, opens] of [
    ['login()', true],
    ['signMessage("hi")', true],
    ['getUser()', false],
  ] as const) {
    const { page: host } = await visit('/opens', { html: renderPage(tag(apps.demo, 'data-preload="never"')) })
    await loaded(host)
    const result = runCall(host, call)
    await host.locator('iframe').waitFor({ state: 'attached' })
    const address = new URL((await host.locator('iframe').getAttribute('src')) ?? '')
    assert.equal(address.searchParams.get('open'), opens ? '1' : null, call)
    await host.evaluate(() => window.latchkey?.destroy())
    await result
    await closePage(host)
  }
})

test('hello contains the capabilities of the loader, and warnings of the dialog are printed once', async () => {
  const { page: host, warnings } = await visit('/hello', {
    html: renderPage(tag(apps.demo, 'data-preload="never"')),
  })
  await loaded(host)
  const configure = (captchaEnabled: boolean) =>
    host.evaluate((enabled) => window.latchkey?.setConfig({ captchaEnabled: enabled }), captchaEnabled)
  await configure(true)
  await runCall(host, 'getUser()')
  const hello = JSON.parse((await host.frames()[1]?.title()) ?? '{}')
  assert.deepEqual(hello.capabilities, ['show', 'hide', 'event', 'walletRequest'])
  assert.deepEqual(warnings, ['Latchkey: captchaEnabled does nothing here'])
  await configure(true)
  assert.equal(warnings.length, 1)
  await closePage(host)
  const later = await visit('/hello', { html: renderPage(tag(apps.demo, 'data-preload="now"')) })
  await loaded(later.page)
  await runCall(later.page, 'getUser()')
  assert.deepEqual(later.warnings, [])
  await later.page.evaluate(() => window.latchkey?.setConfig({ captchaEnabled: true }))
  assert.deepEqual(later.warnings, ['Latchkey: captchaEnabled does nothing here'])
  await closePage(later.page)
})

test('an unknown event of the dialog is ignored, and an invalid one is rejected', async () => {
  const { page: host, errors } = await visit('/events', {
    html: renderPage(tag(apps.demo, 'data-preload="now"')),
  })
  await loaded(host)
  await runCall(host, 'getUser()')
  const heard = await readDialogEvents(host)
  assert.deepEqual(heard.toSorted(), [
    '{"type":"lunch","with":"soup"}: ignored',
    '{"type":"ready","authenticated":"maybe"}: invalid_data',
  ])
  assert.deepEqual(errors, [])
  await closePage(host)
})

test('a login that is aborted or whose handle is destroyed is cancelled at the dialog', async () => {
  const { page: host } = await visit('/signal', { html: renderPage(tag(apps.demo)) })
  await loaded(host)
  await host.evaluate('window.caller = new AbortController()')
  const result = runCall(host, 'login({ signal: caller.signal })')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  await host.evaluate('caller.abort()')
  assert.match(String((await result).end), /^LatchkeyError:call_cancelled:/)
  await host.locator('dialog').waitFor({ state: 'hidden' })
  assert.ok((await readDialogEvents(host)).includes('login cancelled'))
  const codes = await host.evaluate(async () => {
    const { createLatchkey } = await window.importModule(`${location.origin}/index.js`)
    const other = createLatchkey({ appId: window.latchkey?.appId })
    const shown = new Promise<void>((resolve) => other.on('open', () => resolve()))
    const login = other.login().catch((error: { code: string }) => error.code)
    await shown
    const hidden = new Promise<void>((resolve) => window.latchkey?.on('close', () => resolve()))
    other.destroy()
    await hidden
    return [await login, await window.latchkey?.getUser().then(() => 'still here')]
  })
  assert.deepEqual(codes, ['client_destroyed', 'still here'])
  assert.equal((await readDialogEvents(host)).filter((event) => event === 'login cancelled').length, 2)
  await closePage(host)
})
