/** Browser tests of the frame: headers, focus, Escape, scrollbars, colors, reloads. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  apps,
  closePage,
  dialogFrame,
  dialogOrigin,
  loaded,
  readPixel,
  renderPage,
  runCall,
  servers,
  stopClock,
  tag,
  visit,
  withoutEmptyCard,
} from './stage.ts'

test('Escape reaches the dialog wherever the focus is, and only the dialog closes the frame', async () => {
  const { page: host } = await visit('/escape', {
    html: renderPage(`<button id="login">Log in</button>${tag(apps.demo)}`),
  })
  await loaded(host)
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  // Moves the focus out of the frame, as a host script might. Three close requests must not close it.
  await host.evaluate(() => {
    const dialog = document.querySelector('dialog')
    for (let times = 0; times < 3; times += 1) {
      dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))
      dialog?.close()
    }
  })
  await host.waitForFunction(() => document.querySelector('dialog')?.open)
  assert.equal(await dialogFrame(host).locator('#ok').isVisible(), true)
  await host.keyboard.press('Escape')
  assert.match(String((await result).end), /^LatchkeyError:exited_auth_flow:/)
  assert.equal(await host.locator('dialog').isVisible(), false)
  await closePage(host)
})

test('a scrollable page neither moves nor scrolls while the dialog is open', async () => {
  const { page: host } = await visit('/scroll', {
    html: renderPage(
      `<div style="position:fixed;right:0;top:0" id="fixed">fixed</div><p id="flow" style="text-align:right">text</p><div style="height:3000px"></div>${tag(apps.demo)}`,
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
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#exit').waitFor({ state: 'visible' })
  assert.deepEqual(await places(), before)
  await host.mouse.move(300, 300)
  await host.mouse.wheel(0, 500)
  await host.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  assert.deepEqual(await places(), before)
  await dialogFrame(host).locator('#exit').click()
  await result
  assert.deepEqual(await places(), before)
  assert.equal(await host.evaluate(() => document.documentElement.getAttribute('style') ?? ''), '')
  await closePage(host)
})

test('host rules neither show a hidden frame nor hide a shown one', async () => {
  const { page: host } = await visit('/rules', {
    html: renderPage(
      `<button id="login">Log in</button>${tag(apps.demo, 'data-preload="now"')}`,
      '<style>dialog{display:flex!important;opacity:.2!important}iframe{max-width:50%;transform:scale(.5);pointer-events:none}body{pointer-events:none}dialog::backdrop{background:red!important}*{transition:all 5s!important}</style>',
    ),
  })
  await loaded(host)
  await host.evaluate(() => window.latchkey?.ready)
  assert.equal(await host.locator('dialog').isVisible(), false)
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').click()
  assert.match(JSON.stringify((await result).end), /user1/)
  await closePage(host)
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the frame is transparent over a ${scheme} page`, async () => {
    const { page: host } = await visit(`/scheme-${scheme}`, {
      html: renderPage(
        tag(apps.demo),
        `<style>:root{color-scheme:${scheme}} html{background:rgb(10,200,30)}</style>`,
      ),
    })
    await loaded(host)
    const result = runCall(host, 'login()')
    await dialogFrame(host).locator('#exit').waitFor({ state: 'visible' })
    await withoutEmptyCard(host)
    assert.deepEqual(await readPixel(host, 700, 500), [10, 200, 30, 255])
    assert.equal(JSON.parse((await host.frames()[1]?.title()) ?? '{}').colorScheme, scheme)
    await dialogFrame(host).locator('#exit').click()
    await result
    await closePage(host)
  })
}

test('a frame that reloads during a call rejects it, hides, and serves the next call', async () => {
  const { page: host } = await visit('/reload', { html: renderPage(tag(apps.demo)) })
  await loaded(host)
  const first = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  await host.frames()[1]?.evaluate(() => location.reload())
  assert.match(String((await first).end), /frame_reloaded/)
  const second = runCall(host, 'login()')
  await host.waitForFunction(() => document.querySelector('dialog')?.open)
  await dialogFrame(host).locator('#ok').click()
  assert.match(JSON.stringify((await second).end), /user1/)
  assert.equal(await host.locator('iframe').count(), 1)
  await closePage(host)
})

test('a frame that navigates to an unresponsive page is abandoned, and the next call creates another', async () => {
  const { page: host } = await visit('/gone', { html: renderPage(tag(apps.demo)) }, (page) =>
    page.clock.install(),
  )
  await loaded(host)
  const first = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  await stopClock(host)
  await host.evaluate((address) => {
    const frame = document.querySelector('iframe')
    return new Promise((loaded) => {
      frame?.addEventListener('load', loaded, { once: true })
      frame?.contentWindow?.location.replace(address)
    })
  }, `${dialogOrigin}/apps/${apps.silent}/dialog`)
  // The loader waits 5 s for the probe of the same document, or 10 s for the handshake of a new one.
  const response = host.waitForResponse(/\/status\?/)
  await host.clock.runFor(5_000)
  await response
  await host.clock.runFor(5_000)
  assert.match(String((await first).end), /frame_unresponsive/)
  assert.equal((await runCall(host, 'getUser()')).end, null)
  await closePage(host)
})

test('a frame that the page removes rejects pending calls and unlocks the page, and the next call creates another', async () => {
  const { page: host } = await visit('/removed', { html: renderPage(tag(apps.demo)) }, (page) =>
    page.clock.install(),
  )
  await loaded(host)
  const first = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  await stopClock(host)
  await host.evaluate(() => document.querySelector('iframe')?.remove())
  await host.clock.runFor(1_000)
  const { end } = await first
  assert.match(String(end), /frame_unresponsive/)
  assert.equal(await host.locator('dialog').count(), 0)
  assert.equal((await runCall(host, 'getUser()')).end, null)
  await host.evaluate(() => document.querySelector('dialog')?.remove())
  assert.equal((await runCall(host, 'getUser()')).end, null)
  await closePage(host)
})

test('the dialog loads on a cross-origin isolated host, which marks its frame', async () => {
  const { page: host } = await visit('/isolated', {
    headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    html: renderPage(tag(apps.demo)),
  })
  await loaded(host)
  assert.equal(await host.evaluate(() => crossOriginIsolated), true)
  assert.equal((await runCall(host, 'getUser()')).end, null)
  assert.match(servers.frames.at(-1) ?? '', /&coi=1(&|$)/)
  await closePage(host)
})

test('scroll styles that a host changes while the dialog is open remain', async () => {
  const { page: host } = await visit('/scroll-changed', {
    html: renderPage(
      `<div style="height:3000px"></div>${tag(apps.demo)}`,
      '<style>:root:root{overflow:auto!important}</style>',
    ),
  })
  await loaded(host)
  const overflow = () => host.evaluate(() => getComputedStyle(document.documentElement).overflow)
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#exit').waitFor({ state: 'visible' })
  assert.equal(await overflow(), 'hidden')
  await host.evaluate(() => {
    document.documentElement.style.overflow = 'clip'
    document.documentElement.style.scrollbarGutter = 'stable both-edges'
  })
  assert.equal(await overflow(), 'hidden')
  await dialogFrame(host).locator('#exit').click()
  await result
  assert.equal(
    await host.evaluate(() => document.documentElement.getAttribute('style')),
    'overflow: clip; scrollbar-gutter: stable both-edges;',
  )
  assert.equal(await overflow(), 'auto')
  assert.equal(await host.evaluate(() => document.adoptedStyleSheets.length), 1)
  await closePage(host)
})

test('a frame is kept if its second document makes the handshake instead of its first', async () => {
  const { page: host } = await visit(
    '/interstitial',
    { html: renderPage(tag(apps.interstitial, 'data-preload="now"')) },
    (page) => page.clock.install(),
  )
  await loaded(host)
  // The second document makes the handshake before it loads, so its load could be that of a silent third one.
  assert.equal((await runCall(host, 'getUser()')).end, null)
  await host.evaluate(() => {
    const frame = document.querySelector('iframe')
    frame?.addEventListener('load', () => Reflect.set(window, 'loadedFrame', frame))
  })
  servers.finishSlow()
  await host.waitForFunction('window.loadedFrame')
  await host.clock.fastForward(30_000)
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').click()
  assert.match(JSON.stringify((await result).end), /user1/)
  assert.equal(await host.evaluate('loadedFrame === document.querySelector("iframe")'), true)
  await closePage(host)
})
