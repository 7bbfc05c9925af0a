/** Tests the focus of the shell in a cross-site frame, beside a frame of a third site. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type HostedShell, openShellPages, type ShellPage } from './testing/browser.ts'

let served: ShellPage
let hosted: HostedShell
beforeAll(async () => {
  served = await openShellPages(inject('shellSite'))
})
afterAll(() => served.stop())
beforeEach(async () => {
  hosted = await served.openInHost(1)
  await hosted.page.evaluate(() => document.querySelector('iframe')?.focus())
  await hosted.frame.evaluate(() => shell.go('Landing'))
})
afterEach(async () => {
  await hosted.page.close()
  expect(served.complaints()).toEqual([])
})

const field = () => hosted.frame.getByRole('textbox', { name: 'E-mail' })
const hasFocus = () => field().evaluate((node) => node === document.activeElement && document.hasFocus())

/** Moves the focus to the host, like a process of a third site that starts late. */
async function giveFocusToHost() {
  const { page } = hosted
  const address = page.url().replace('host.', 'third.')
  await page.evaluate((src) => {
    document.body.insertAdjacentHTML('beforeend', `<iframe hidden src="${src}"></iframe>`)
  }, address)
  const third = await page.waitForSelector('iframe[hidden]', { state: 'attached' })
  const frame = await third.contentFrame()
  await frame?.waitForURL(address)
  const lost = hosted.frame.evaluate(
    () => new Promise<void>((resolve) => window.addEventListener('blur', () => resolve(), { once: true })),
  )
  await frame?.evaluate(() => window.top?.focus())
  await lost
}

describe('focus that another frame moves to the host', () => {
  it('returns to the field if the user has not touched the card', async () => {
    expect(await hasFocus()).toBe(true)
    await giveFocusToHost()
    await expect.poll(hasFocus).toBe(true)
    await hosted.page.keyboard.type('mira')
    expect(await field().inputValue()).toBe('mira')
  })

  it('stays at the host if the user has already used the card', async () => {
    await hosted.page.keyboard.press('m')
    await giveFocusToHost()
    await hosted.frame.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
    expect(await hasFocus()).toBe(false)
  })
})
