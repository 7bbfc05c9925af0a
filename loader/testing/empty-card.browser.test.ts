/** Browser tests of the empty card, which is shown while the dialog loads. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright'
import { test } from 'vitest'
import {
  apps,
  closePage,
  dialogFrame,
  loaded,
  policy,
  readDialogEvents,
  readPixel,
  renderPage,
  runCall,
  servers,
  stopClock,
  strict,
  tag,
  visit,
  withoutEmptyCard,
} from './stage.ts'

const cover = (host: Page) => host.locator('dialog[data-latchkey=empty]')
const slowPage = (more = '', head = '') =>
  renderPage(`<button id="login">Log in</button>${tag(apps.slow, `data-preload="never" ${more}`)}`, head)
const white = '<link rel="stylesheet" href="/white.css">'

for (const [theme, colour] of [
  ['light', [253, 253, 253, 255]],
  ['dark', [23, 24, 26, 255]],
  ['#203040', [32, 48, 64, 255]],
] as const) {
  test(`a backdrop and an empty card cover the page while the dialog is slow, under a strict policy: ${theme}`, async () => {
    const {
      page: host,
      violations,
      errors,
    } = await visit(`/slow-${theme.slice(-5)}`, {
      headers: policy(`${strict}; img-src data:`),
      html: slowPage(`data-theme="${theme}"`, white),
    })
    await loaded(host)
    await host.evaluate(() => {
      const told: string[] = []
      Reflect.set(window, 'told', told)
      for (const name of ['open', 'close'] as const) window.latchkey?.on(name, () => told.push(name))
    })
    const result = runCall(host, 'login()')
    await cover(host).waitFor({ state: 'visible' })
    assert.deepEqual(await readPixel(host, 400, 102), colour)
    assert.deepEqual(await readPixel(host, 400, 98), [131, 132, 134, 255])
    assert.deepEqual(await readPixel(host, 2, 2), [131, 132, 134, 255])
    assert.deepEqual(await host.evaluate('told'), ['open'])
    servers.finishSlow()
    await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
    await withoutEmptyCard(host)
    assert.deepEqual(await readPixel(host, 400, 300), [255, 255, 255, 255])
    await dialogFrame(host).locator('#ok').click()
    assert.match(JSON.stringify((await result).end), /user1/)
    assert.deepEqual(await host.evaluate('told'), ['open', 'close'])
    assert.deepEqual(violations, [])
    assert.deepEqual(errors, [])
    await closePage(host)
  })
}

test('the empty card appears after 150 ms without the dialog, and not sooner', async () => {
  const { page: host } = await visit('/slow-start', { html: slowPage() }, (page) => page.clock.install())
  await loaded(host)
  await host.clock.pauseAt(Date.now() + 60_000)
  const result = runCall(host, 'login()')
  await host.locator('iframe').waitFor({ state: 'attached' })
  await host.clock.runFor(149)
  assert.equal(await cover(host).count(), 0)
  await host.clock.runFor(1)
  await cover(host).waitFor({ state: 'visible' })
  await host.keyboard.press('Escape')
  await result
  servers.finishSlow()
  await closePage(host)
})

test('a dialog that loads for half a minute on a slow network is not a failure', async () => {
  const { page: host } = await visit('/slow-line', { html: slowPage() }, (page) => page.clock.install())
  await loaded(host)
  const result = runCall(host, 'login()')
  await host.locator('iframe').waitFor({ state: 'attached' })
  const asked = host.waitForResponse(/\/status\?/)
  await host.clock.runFor(6_000)
  await asked
  await host.clock.runFor(30_000)
  await cover(host).waitFor({ state: 'visible' })
  servers.finishSlow()
  await dialogFrame(host).locator('#ok').click()
  assert.match(JSON.stringify((await result).end), /user1/)
  await closePage(host)
})

test('the empty card has the expected height: less for other calls than for a login', async () => {
  const { page: host } = await visit('/slow-height', { html: slowPage('data-theme="light"', white) })
  await loaded(host)
  const result = runCall(host, 'linkEmail()')
  await cover(host).waitFor({ state: 'visible' })
  assert.deepEqual(await readPixel(host, 400, 152), [253, 253, 253, 255])
  assert.deepEqual(await readPixel(host, 400, 148), [131, 132, 134, 255])
  await host.evaluate(() => window.latchkey?.destroy())
  await result
  servers.finishSlow()
  await closePage(host)
})

test('the empty card is a sheet at the bottom of a narrow page', async () => {
  const { page: host } = await visit('/slow-narrow', { html: slowPage('data-theme="light"', white) })
  await host.setViewportSize({ width: 440, height: 800 })
  await loaded(host)
  const result = runCall(host, 'login()')
  await cover(host).waitFor({ state: 'visible' })
  assert.deepEqual(await readPixel(host, 2, 798), [253, 253, 253, 255])
  assert.deepEqual(await readPixel(host, 220, 402), [253, 253, 253, 255])
  assert.deepEqual(await readPixel(host, 220, 398), [131, 132, 134, 255])
  await host.evaluate(() => window.latchkey?.destroy())
  assert.match(String((await result).end), /client_destroyed/)
  assert.equal(await host.locator('dialog').count(), 0)
  servers.finishSlow()
  await closePage(host)
})

for (const [call, code] of [
  ['login()', 'exited_auth_flow'],
  ['signMessage("hi")', 'user_rejected_request'],
]) {
  test(`Escape closes the empty card of ${call} and refuses the call, and the next call works`, async () => {
    const { page: host } = await visit('/slow-escape', { html: slowPage() })
    await loaded(host)
    await host.focus('#login')
    const result = runCall(host, String(call))
    await cover(host).waitFor({ state: 'visible' })
    await host.keyboard.press('Escape')
    assert.match(String((await result).end), new RegExp(`^LatchkeyError:${code}:`))
    await host.locator('dialog').waitFor({ state: 'hidden' })
    assert.equal(await host.evaluate(() => document.activeElement?.id), 'login')
    servers.finishSlow()
    const next = runCall(host, 'login()')
    await dialogFrame(host).locator('#ok').click()
    assert.match(JSON.stringify((await next).end), /user1/)
    await closePage(host)
  })
}

test('a late close event of an earlier card does not close the empty card of the next call', async () => {
  const { page: host } = await visit('/late-close', { html: slowPage() })
  await loaded(host)
  const result = runCall(host, 'login()')
  await cover(host).waitFor({ state: 'visible' })
  await host.evaluate(() => document.querySelector('dialog')?.dispatchEvent(new Event('close')))
  servers.finishSlow()
  await dialogFrame(host).locator('#ok').click()
  assert.match(JSON.stringify((await result).end), /user1/)
  await closePage(host)
})

test('the empty card does not appear before a fast dialog or for a call without a screen', async () => {
  const html = renderPage(tag(apps.demo, 'data-preload="now"'))
  const { page: host } = await visit('/quick', { html }, (page) => page.clock.install())
  await loaded(host)
  await runCall(host, 'getUser()')
  // On any machine, the dialog loads before the page's clock moves.
  await host.clock.pauseAt(Date.now() + 60_000)
  await host.evaluate(() => {
    const seen: unknown[] = []
    Reflect.set(window, 'seen', seen)
    const dialog = document.querySelector('dialog')
    if (!dialog) throw new Error('The page has no dialog')
    new MutationObserver(() => seen.push(dialog.dataset.latchkey)).observe(dialog, {
      attributeFilter: ['data-latchkey'],
    })
  })
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  await host.clock.runFor(1_000)
  assert.equal(await host.locator('dialog').getAttribute('data-latchkey'), '')
  await dialogFrame(host).locator('#ok').click()
  await result
  assert.equal((await host.evaluate<string[]>('seen')).includes('empty'), false)
  await closePage(host)
  const slow = await visit('/slow-headless', { html: slowPage() })
  await loaded(slow.page)
  const user = runCall(slow.page, 'getUser()')
  const token = runCall(slow.page, 'getAccessToken()')
  await slow.page.locator('iframe').waitFor({ state: 'attached' })
  // The empty card of this later call appears, so the earlier calls had as much time.
  const login = runCall(slow.page, 'login()')
  await cover(slow.page).waitFor({ state: 'visible' })
  await slow.page.keyboard.press('Escape')
  await login
  await slow.page.locator('dialog').waitFor({ state: 'hidden' })
  servers.finishSlow()
  assert.equal((await user).end, null)
  assert.equal((await token).end, 'token1')
  await closePage(slow.page)
})

test('the empty card does not follow the dialog card while the response is pending', async () => {
  const html = renderPage(tag(apps.demo, 'data-preload="now"'))
  const { page: host } = await visit('/late-answer', { html }, (page) => page.clock.install())
  await loaded(host)
  await runCall(host, 'getUser()')
  await stopClock(host)
  const result = runCall(host, 'login()')
  await dialogFrame(host).locator('#ok').waitFor({ state: 'visible' })
  await host.frames()[1]?.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    Object.assign(window, { beforeAnswer: promise, answer: resolve })
  })
  // The clock also drives the dialog's animation frames.
  while (!(await readDialogEvents(host)).includes('drawn')) await host.clock.runFor(1)
  await dialogFrame(host).locator('#ok').click()
  await host.locator('dialog').waitFor({ state: 'hidden' })
  await host.clock.runFor(1_000)
  assert.equal(await host.locator('dialog').isVisible(), false)
  await host.frames()[1]?.evaluate('answer()')
  assert.match(JSON.stringify((await result).end), /user1/)
  await closePage(host)
})

test('a silent signature never shows the empty card', async () => {
  const { page: host } = await visit('/slow-silent', { html: slowPage() }, (page) => page.clock.install())
  await loaded(host)
  await host.evaluate(() => window.latchkey?.setConfig({ embeddedWallets: { noPromptOnSignature: true } }))
  await host.clock.pauseAt(Date.now() + 60_000)
  const silent = runCall(host, 'signMessage("hi")')
  await host.locator('iframe').waitFor({ state: 'attached' })
  await host.clock.runFor(1_000)
  assert.equal(await cover(host).count(), 0)
  const login = runCall(host, 'login()')
  await host.clock.runFor(150)
  await cover(host).waitFor({ state: 'visible' })
  await host.evaluate(() => window.latchkey?.destroy())
  assert.match(String((await login).end), /client_destroyed/)
  assert.match(String((await silent).end), /client_destroyed/)
  servers.finishSlow()
  await closePage(host)
})
