/** What only a browser shows of the frame: headers, focus, Escape, scrollbars, colours, reloads. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  apps,
  dialogOf,
  dialogOrigin,
  ending,
  leave,
  loaded,
  pageOf,
  pixelOf,
  servers,
  stopClock,
  tag,
  visit,
  withoutEmptyCard,
} from './stage.ts'

test('Escape goes to the dialog, wherever the focus is, and only the dialog closes', async () => {
  const { page: host } = await visit('/escape', {
    html: pageOf(`<button id="login">Log in</button>${tag(apps.demo)}`),
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
  await leave(host)
})

test('nothing moves when the dialog opens over a page that scrolls, and the page does not scroll', async () => {
  const { page: host } = await visit('/scroll', {
    html: pageOf(
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
  await leave(host)
})

test('a hidden frame stays hidden and a shown one whole, whatever rules the host has', async () => {
  const { page: host } = await visit('/rules', {
    html: pageOf(
      `<button id="login">Log in</button>${tag(apps.demo, 'data-preload="now"')}`,
      '<style>dialog{display:flex!important;opacity:.2!important}iframe{max-width:50%;transform:scale(.5);pointer-events:none}body{pointer-events:none}dialog::backdrop{background:red!important}*{transition:all 5s!important}</style>',
    ),
  })
  await loaded(host)
  await host.evaluate(() => window.latchkey?.ready)
  assert.equal(await host.locator('dialog').isVisible(), false)
  const result = ending(host, 'login()')
  await dialogOf(host).locator('#ok').click()
  assert.match(JSON.stringify((await result).end), /user1/)
  await leave(host)
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the frame is transparent over a ${scheme} page`, async () => {
    const { page: host } = await visit(`/scheme-${scheme}`, {
      html: pageOf(
        tag(apps.demo),
        `<style>:root{color-scheme:${scheme}} html{background:rgb(10,200,30)}</style>`,
      ),
    })
    await loaded(host)
    const result = ending(host, 'login()')
    await dialogOf(host).locator('#exit').waitFor({ state: 'visible' })
    await withoutEmptyCard(host)
    assert.deepEqual(await pixelOf(host, 700, 500), [10, 200, 30, 255])
    assert.equal(JSON.parse((await host.frames()[1]?.title()) ?? '{}').colorScheme, scheme)
    await dialogOf(host).locator('#exit').click()
    await result
    await leave(host)
  })
}

test('a frame that reloads in the middle of a call rejects it, hides, and serves the next one', async () => {
  const { page: host } = await visit('/reload', { html: pageOf(tag(apps.demo)) })
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
  await leave(host)
})

test('a frame that goes to a page that never answers is given up, and the next call makes another', async () => {
  const { page: host } = await visit('/gone', { html: pageOf(tag(apps.demo)) }, (page) =>
    page.clock.install(),
  )
  await loaded(host)
  const first = ending(host, 'login()')
  await dialogOf(host).locator('#ok').waitFor({ state: 'visible' })
  await stopClock(host)
  await host.evaluate((address) => {
    const frame = document.querySelector('iframe')
    return new Promise((loaded) => {
      frame?.addEventListener('load', loaded, { once: true })
      frame?.contentWindow?.location.replace(address)
    })
  }, `${dialogOrigin}/apps/${apps.silent}/dialog`)
  // The loader waits 5 s for a sign of life of the same document, or 10 s for the handshake of a new one.
  const response = host.waitForResponse(/\/status\?/)
  await host.clock.runFor(5_000)
  await response
  await host.clock.runFor(5_000)
  assert.match(String((await first).end), /frame_unresponsive/)
  assert.equal((await ending(host, 'getUser()')).end, null)
  await leave(host)
})

test('a frame that the page removes settles what waits, frees the page, and the next call makes another', async () => {
  const { page: host } = await visit('/removed', { html: pageOf(tag(apps.demo)) }, (page) =>
    page.clock.install(),
  )
  await loaded(host)
  const first = ending(host, 'login()')
  await dialogOf(host).locator('#ok').waitFor({ state: 'visible' })
  await stopClock(host)
  await host.evaluate(() => document.querySelector('iframe')?.remove())
  await host.clock.runFor(1_000)
  const { end } = await first
  assert.match(String(end), /frame_unresponsive/)
  assert.equal(await host.locator('dialog').count(), 0)
  assert.equal((await ending(host, 'getUser()')).end, null)
  await host.evaluate(() => document.querySelector('dialog')?.remove())
  assert.equal((await ending(host, 'getUser()')).end, null)
  await leave(host)
})

test('a cross-origin isolated host says so, and the dialog loads there', async () => {
  const { page: host } = await visit('/isolated', {
    headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    html: pageOf(tag(apps.demo)),
  })
  await loaded(host)
  assert.equal(await host.evaluate(() => crossOriginIsolated), true)
  assert.equal((await ending(host, 'getUser()')).end, null)
  assert.match(servers.frames.at(-1) ?? '', /&coi=1(&|$)/)
  await leave(host)
})

test('what a host changes of its own scrolling while the dialog is open, stays', async () => {
  const { page: host } = await visit('/scroll-changed', {
    html: pageOf(
      `<div style="height:3000px"></div>${tag(apps.demo)}`,
      '<style>:root:root{overflow:auto!important}</style>',
    ),
  })
  await loaded(host)
  const overflow = () => host.evaluate(() => getComputedStyle(document.documentElement).overflow)
  const result = ending(host, 'login()')
  await dialogOf(host).locator('#exit').waitFor({ state: 'visible' })
  assert.equal(await overflow(), 'hidden')
  await host.evaluate(() => {
    document.documentElement.style.overflow = 'clip'
    document.documentElement.style.scrollbarGutter = 'stable both-edges'
  })
  assert.equal(await overflow(), 'hidden')
  await dialogOf(host).locator('#exit').click()
  await result
  assert.equal(
    await host.evaluate(() => document.documentElement.getAttribute('style')),
    'overflow: clip; scrollbar-gutter: stable both-edges;',
  )
  assert.equal(await overflow(), 'auto')
  assert.equal(await host.evaluate(() => document.adoptedStyleSheets.length), 1)
  await leave(host)
})

test('a frame whose first document never shook hands is kept once its second did', async () => {
  const { page: host } = await visit(
    '/interstitial',
    { html: pageOf(tag(apps.interstitial, 'data-preload="now"')) },
    (page) => page.clock.install(),
  )
  await loaded(host)
  // The second document shakes hands before it has loaded, so that its load may be that of a silent third.
  assert.equal((await ending(host, 'getUser()')).end, null)
  await host.evaluate(() => {
    const frame = document.querySelector('iframe')
    frame?.addEventListener('load', () => Reflect.set(window, 'loadedFrame', frame))
  })
  servers.finishSlow()
  await host.waitForFunction('window.loadedFrame')
  await host.clock.fastForward(30_000)
  const result = ending(host, 'login()')
  await dialogOf(host).locator('#ok').click()
  assert.match(JSON.stringify((await result).end), /user1/)
  assert.equal(await host.evaluate('loadedFrame === document.querySelector("iframe")'), true)
  await leave(host)
})
