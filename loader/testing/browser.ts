/**
 * What only a browser can show of the frame: `node --conditions=latchkey-source loader/testing/browser.ts`, after
 * a build. Headers, focus, Escape, scrollbars, colours, errors in their time. Prints a line a fact.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { appId, type Host, startServers } from './servers.ts'

const ports = { host: 4460, dialog: 4461, hanging: 4462, dead: 4463 }
const unlisted = 'unlisted00000000000000001'
const silent = 'silent0000000000000000001'
const unknown = 'unknown000000000000000001'

const servers = await startServers(ports.host, ports.dialog)
const { hosts, statuses, frames, hostOrigin, dialogOrigin } = servers
statuses.set(appId, 'ok').set(silent, 'ok').set(unlisted, 'origin_not_allowed')
const hanging = createServer(() => {}).listen(ports.hanging, '127.0.0.1')

const strict = [
  "default-src 'none'",
  `script-src 'self' ${dialogOrigin}`,
  "style-src 'self'",
  `frame-src ${dialogOrigin}`,
  `connect-src ${dialogOrigin}`,
  "require-trusted-types-for 'script'",
].join('; ')

const tag = (app: string, more = '') =>
  `<script src="${dialogOrigin}/loader/v1/loader.js" data-app-id="${app}" ${more} async></script>`
const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Host</title><script src="/host.js"></script>${head}</head><body>${body}</body></html>`
const policy = (value: string) => ({ 'content-security-policy': value })

let browser: Browser
const facts: [string, () => Promise<void>][] = []
const fact = (name: string, prove: () => Promise<void>) => facts.push([name, prove])

type Visit = { page: Page; violations: string[]; errors: string[] }
async function visit(path: string, host: Host): Promise<Visit> {
  hosts.set(path, host)
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  const opened = await context.newPage()
  const violations: string[] = []
  const errors: string[] = []
  opened.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) violations.push(message.text())
    else if (message.type() === 'error') errors.push(message.text())
  })
  opened.on('pageerror', (error) => errors.push(error.message))
  await opened.goto(hostOrigin + path)
  return { page: opened, violations, errors }
}
const loaded = (page: Page) => page.waitForFunction(() => window.latchkey && !('q' in window.latchkey))
/** How a call ends: its value, or its code. */
const ending = (page: Page, call: string) =>
  page.evaluate(async (source) => {
    const start = performance.now()
    const done = (end: unknown) => ({ end, ms: performance.now() - start })
    return Promise.resolve(new Function(`return window.latchkey.${source}`)()).then(
      (value) => done(value),
      (error) => done(`${error.name}:${error.code}:${error.message}`),
    )
  }, call)
const dialogOf = (page: Page) => page.frameLocator('iframe[title="Latchkey"]')

fact('a host with a strict policy logs in by one line, without one violation', async () => {
  const {
    page: host,
    violations,
    errors,
  } = await visit('/strict', {
    headers: policy(strict),
    html: page(`<button id="login">Log in</button>${tag(appId, 'data-accent="#336699" data-theme="dark"')}`),
  })
  await loaded(host)
  await host.focus('#login')
  const result = ending(host, 'login()')
  await dialogOf(host).locator('#ok').waitFor({ state: 'visible' })
  const box = await host.locator('iframe').boundingBox()
  assert.deepEqual(box, { x: 0, y: 0, width: 800, height: 600 })
  assert.equal(await host.evaluate(() => document.activeElement?.tagName), 'IFRAME')
  await dialogOf(host).locator('#ok').click()
  const { end } = await result
  assert.equal((end as { user: { id: string } }).user.id, 'user1')
  assert.equal(await host.evaluate(() => document.activeElement?.id), 'login')
  assert.equal(await host.locator('dialog').isVisible(), false)
  assert.deepEqual(violations, [])
  assert.deepEqual(errors, [])
  assert.match(
    frames.at(-1) ?? '',
    /^\/apps\/lkdemo0000000000000000001\/dialog\?origin=http%3A%2F%2Fdemo\.localhost%3A4460$/,
  )
  const hello = JSON.parse((await host.frames()[1]?.title()) ?? '{}')
  assert.deepEqual(hello.config, { appearance: { accentColor: '#336699', theme: 'dark' } })
  await host.context().close()
})

fact('Escape goes to the dialog, wherever the focus is, and only the dialog closes', async () => {
  const { page: host } = await visit('/escape', {
    html: page(`<button id="login">Log in</button>${tag(appId)}`),
  })
  await loaded(host)
  const result = ending(host, 'login()')
  await dialogOf(host).locator('#ok').waitFor({ state: 'visible' })
  // The focus is taken out of the frame, as a script of the host might: three requests to close do not.
  await host.evaluate(() => {
    const dialog = document.querySelector('dialog')
    for (let times = 0; times < 3; times += 1) {
      dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))
      dialog?.close()
    }
  })
  await host.waitForFunction(() => document.querySelector('dialog')?.open)
  assert.equal(await dialogOf(host).locator('#ok').isVisible(), true)
  await host.keyboard.press('Escape')
  assert.match(String((await result).end), /^LatchkeyError:exited_auth_flow:/)
  assert.equal(await host.locator('dialog').isVisible(), false)
  await host.context().close()
})

fact(
  'nothing moves when the dialog opens over a page that scrolls, and the page does not scroll',
  async () => {
    const { page: host } = await visit('/scroll', {
      html: page(
        `<div style="position:fixed;right:0;top:0" id="fixed">fixed</div><p id="flow" style="text-align:right">text</p><div style="height:3000px"></div>${tag(appId)}`,
      ),
    })
    await loaded(host)
    await host.evaluate(() => scrollTo(0, 200))
    const places = () =>
      host.evaluate(() => {
        const of = (id: string) => document.getElementById(id)?.getBoundingClientRect().toJSON()
        return { fixed: of('fixed'), flow: of('flow'), top: scrollY }
      })
    const before = await places()
    assert.equal(
      await host.evaluate(() => innerWidth - document.documentElement.clientWidth > 0),
      true,
      'a scrollbar',
    )
    const result = ending(host, 'login()')
    await dialogOf(host).locator('#exit').waitFor({ state: 'visible' })
    assert.deepEqual(await places(), before)
    await host.mouse.move(300, 300)
    await host.mouse.wheel(0, 500)
    await host.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    assert.deepEqual(await places(), before)
    await dialogOf(host).locator('#exit').click()
    await result
    assert.deepEqual(await places(), before)
    assert.equal(await host.evaluate(() => document.documentElement.getAttribute('style') ?? ''), '')
    await host.context().close()
  },
)

fact('a hidden frame stays hidden and a shown one whole, whatever rules the host has', async () => {
  const { page: host } = await visit('/rules', {
    html: page(
      `<button id="login">Log in</button>${tag(appId, 'data-preload="now"')}`,
      '<style>dialog{display:flex!important;opacity:.2!important}iframe{max-width:50%;transform:scale(.5);pointer-events:none}body{pointer-events:none}dialog::backdrop{background:red!important}*{transition:all 5s!important}</style>',
    ),
  })
  await loaded(host)
  await host.evaluate(() => window.latchkey?.ready)
  assert.equal(await host.locator('dialog').isVisible(), false)
  const result = ending(host, 'login()')
  await dialogOf(host).locator('#ok').click()
  assert.match(JSON.stringify((await result).end), /user1/)
  await host.context().close()
})

for (const scheme of ['light', 'dark'] as const) {
  fact(`the frame is transparent over a ${scheme} page`, async () => {
    const { page: host } = await visit(`/scheme-${scheme}`, {
      html: page(tag(appId), `<style>:root{color-scheme:${scheme}} html{background:rgb(10,200,30)}</style>`),
    })
    await loaded(host)
    const result = ending(host, 'login()')
    await dialogOf(host).locator('#exit').waitFor({ state: 'visible' })
    const image = await host.screenshot({ clip: { x: 700, y: 500, width: 1, height: 1 } })
    const pixel = await host.evaluate(async (base64) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])]
    }, image.toString('base64'))
    assert.deepEqual(pixel, [10, 200, 30, 255])
    assert.equal(JSON.parse((await host.frames()[1]?.title()) ?? '{}').colorScheme, scheme)
    await dialogOf(host).locator('#exit').click()
    await result
    await host.context().close()
  })
}

type Failure = {
  name: string
  app?: string
  headers?: Record<string, string>
  more?: string
  code: RegExp
  withinMs: number
}
const failures: Failure[] = [
  {
    name: 'a policy that blocks the frame',
    headers: policy(`frame-src 'none'`),
    code: /host_blocks_frame/,
    withinMs: 1_000,
  },
  {
    name: 'a default policy that blocks the frame',
    headers: policy(`default-src 'self' 'unsafe-inline'; script-src 'self' ${dialogOrigin}`),
    code: /host_blocks_frame/,
    withinMs: 1_000,
  },
  { name: 'an unknown app', app: unknown, code: /missing_or_invalid_latchkey_app_id/, withinMs: 2_500 },
  {
    name: 'an origin that the app does not list',
    app: unlisted,
    code: /origin_not_allowed/,
    withinMs: 2_500,
  },
  {
    name: 'a dead server',
    more: `data-dialog-url="http://dialog.localhost:${ports.dead}"`,
    code: /server_unreachable/,
    withinMs: 2_500,
  },
  {
    name: 'a server that takes calls and never answers',
    more: `data-dialog-url="http://dialog.localhost:${ports.hanging}"`,
    code: /server_unreachable/,
    withinMs: 11_000,
  },
  {
    name: 'a policy that blocks the question why',
    app: unlisted,
    headers: policy("connect-src 'none'"),
    code: /frame_unresponsive.*connect-src/,
    withinMs: 12_000,
  },
  { name: 'a dialog that never says hello', app: silent, code: /frame_unresponsive/, withinMs: 12_000 },
  {
    name: 'an app id of 24 characters',
    app: 'a'.repeat(24),
    code: /missing_or_invalid_latchkey_app_id:Invalid app id/,
    withinMs: 100,
  },
]
for (const [index, { name, app = appId, headers = {}, more = '', code, withinMs }] of failures.entries()) {
  fact(`${name} has its own code within ${withinMs} ms`, async () => {
    const { page: host } = await visit(`/failure-${index}`, {
      headers,
      html: page(tag(app, `data-preload="never" ${more}`)),
    })
    await loaded(host)
    const { end, ms } = await ending(host, 'login()')
    assert.match(String(end), code)
    assert.ok(ms < withinMs, `took ${Math.round(ms)} ms`)
    assert.equal(await host.locator('iframe').count(), 0)
    console.log(`    ${Math.round(ms)} ms: ${end}`)
    await host.context().close()
  })
}

fact('a frame that reloads in the middle of a call rejects it, hides, and serves the next one', async () => {
  const { page: host } = await visit('/reload', { html: page(tag(appId)) })
  await loaded(host)
  const first = ending(host, 'login()')
  await dialogOf(host).locator('#ok').waitFor({ state: 'visible' })
  await host.frames()[1]?.evaluate(() => location.reload())
  assert.match(String((await first).end), /frame_reloaded/)
  const second = ending(host, 'login()')
  await host.waitForFunction(() => document.querySelector('dialog')?.open)
  await dialogOf(host).locator('#ok').click()
  assert.match(JSON.stringify((await second).end), /user1/)
  assert.equal(await host.locator('iframe').count(), 1)
  await host.context().close()
})

fact(
  'a frame that goes to a page that never answers is given up, and the next call makes another',
  async () => {
    const { page: host } = await visit('/gone', { html: page(tag(appId)) })
    await loaded(host)
    const first = ending(host, 'login()')
    await dialogOf(host).locator('#ok').waitFor({ state: 'visible' })
    await host
      .frames()[1]
      ?.evaluate((address) => location.replace(address), `${dialogOrigin}/apps/${silent}/dialog`)
    await host.waitForFunction(() => !document.querySelector('dialog')?.open)
    assert.match(String((await first).end), /frame_unresponsive/)
    assert.equal((await ending(host, 'getUser()')).end, null)
    await host.context().close()
  },
)

fact(
  'a frame that the page removes settles what waits, frees the page, and the next call makes another',
  async () => {
    const { page: host } = await visit('/removed', { html: page(tag(appId)) })
    await loaded(host)
    const first = ending(host, 'login()')
    await dialogOf(host).locator('#ok').waitFor({ state: 'visible' })
    await host.evaluate(() => document.querySelector('iframe')?.remove())
    const { end } = await first
    assert.match(String(end), /frame_unresponsive/)
    assert.equal(await host.locator('dialog').count(), 0)
    assert.equal((await ending(host, 'getUser()')).end, null)
    await host.evaluate(() => document.querySelector('dialog')?.remove())
    assert.equal((await ending(host, 'getUser()')).end, null)
    await host.context().close()
  },
)

fact('a cross-origin isolated host says so, and the dialog loads there', async () => {
  const { page: host } = await visit('/isolated', {
    headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    html: page(tag(appId)),
  })
  await loaded(host)
  assert.equal(await host.evaluate(() => crossOriginIsolated), true)
  assert.equal((await ending(host, 'getUser()')).end, null)
  assert.match(frames.at(-1) ?? '', /&coi=1$/)
  await host.context().close()
})

fact(
  'the script and a bundle, twice, make one frame; the last handle takes it away and settles everything',
  async () => {
    const { page: host } = await visit('/twice', { html: page(tag(appId, 'data-preload="now"')) })
    await loaded(host)
    const ends = await host.evaluate(async () => {
      const { createLatchkey } = await import(`${location.origin}/index.js`)
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
    await host.context().close()
  },
)

fact('concurrent callers share one token, which is asked for again after a login', async () => {
  const { page: host } = await visit('/token', { html: page(tag(appId, 'data-preload="never"')) })
  await loaded(host)
  // This test dialog says that nobody is logged in, which drops what is kept; then it hands out tokens all the same.
  await host.evaluate(
    () => new Promise((ready) => [window.latchkey?.on('ready', ready), window.latchkey?.ready]),
  )
  const tokens = await host.evaluate(() =>
    Promise.all([window.latchkey?.getAccessToken(), window.latchkey?.getAccessToken()]),
  )
  assert.deepEqual(tokens, ['token1', 'token1'])
  assert.equal((await ending(host, 'getAccessToken()')).end, 'token1')
  await host.evaluate(() => {
    const told: unknown[] = []
    Reflect.set(window, 'told', told)
    for (const name of ['login', 'token', 'open', 'close', 'logout'] as const) {
      window.latchkey?.on(name, (event) => told.push([name, 'token' in event ? event.token : undefined]))
    }
  })
  const login = ending(host, 'login()')
  await dialogOf(host).locator('#ok').click()
  await login
  assert.equal((await ending(host, 'getAccessToken()')).end, 'token2')
  await ending(host, 'logout()')
  assert.deepEqual(await host.evaluate(() => Reflect.get(window, 'told')), [
    ['open', undefined],
    ['close', undefined],
    ['login', undefined],
    ['token', 'token2'],
    ['token', undefined],
    ['logout', undefined],
  ])
  assert.equal((await ending(host, 'getAccessToken()')).end, 'token3')
  await host.context().close()
})

fact(
  'the queue stub of the README serves calls made before the script, and settles them when it never comes',
  async () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
    const stub = /<script>\n([\s\S]*?)<\/script>/.exec(readme)?.[1] ?? ''
    assert.equal(stub.trim().split('\n').length, 2)
    const early = `window.kept = window.latchkey; window.early = kept.getAccessToken(); window.told = []; window.off = kept.on('open', () => told.push('open')); kept.on('ready', () => told.push('ready'))`
    const { page: host } = await visit('/stub', {
      html: page(tag(appId), `<script>${stub}</script><script>${early}</script>`),
    })
    assert.equal(await host.evaluate('early'), 'token1')
    assert.equal(await host.evaluate('kept === window.latchkey && kept.getUser()'), null)
    assert.deepEqual(await host.evaluate('told'), ['ready'])
    const dead = await visit('/stub-dead', {
      html: page(
        `<script src="http://dialog.localhost:${ports.dead}/loader/v1/loader.js" data-app-id="${appId}" async></script>`,
        `<script>${stub}</script><script>${early}</script>`,
      ),
    })
    assert.equal(await dead.page.evaluate('early.catch((error) => error.code)'), 'server_unreachable')
    assert.equal(
      await dead.page.evaluate('latchkey.login().catch((error) => error.code)'),
      'server_unreachable',
    )
    await host.context().close()
    await dead.page.context().close()
  },
)

fact('preload: never makes no frame before a call, idle makes one on its own', async () => {
  const never = await visit('/never', { html: page(tag(appId, 'data-preload="never"')) })
  const idle = await visit('/idle', { html: page(tag(appId)) })
  await loaded(never.page)
  await idle.page.locator('iframe').waitFor({ state: 'attached' })
  assert.equal(await never.page.locator('iframe').count(), 0)
  await never.page.context().close()
  await idle.page.context().close()
})

browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  // Scrollbars are hidden by default, and storage is not partitioned.
  ignoreDefaultArgs: ['--hide-scrollbars'],
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,OptimizationHints,OverlayScrollbar',
  ],
})
let failed = 0
const chosen = facts.filter(([name]) => name.includes(process.argv[2] ?? ''))
for (const [name, prove] of chosen) {
  try {
    await prove()
    console.log(`  ok     ${name}`)
  } catch (error) {
    failed += 1
    console.log(`  FAILED ${name}\n${error instanceof Error ? error.stack : error}`)
  }
}
await browser.close()
hanging.close()
servers.close()
console.log(`${chosen.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
