import type { HostPage } from '../pages/host-page.ts'
import { expect, test } from '../test.ts'

declare global {
  /** The part of the loader's API that the one-line page uses. */
  var latchkey: {
    on: (name: 'open' | 'close', run: () => void) => void
    login: () => Promise<unknown>
    logout: () => Promise<unknown>
    getUser: () => Promise<{ id: string } | null>
    signMessage: (message: string) => Promise<{ signature: string }>
  }
  /** Card events that the loader emitted. */
  var told: string[]
  var pageFreeAtMs: number | undefined
  var welcomeAtMs: number | undefined
  var signed: ReturnType<typeof globalThis.latchkey.signMessage>
}

test('a signature requested right after the login reuses its card', async ({ host, inbox, page }) => {
  await host.openOneLine()
  await page.evaluate(() => {
    globalThis.told = []
    for (const name of ['open', 'close'] as const) latchkey.on(name, () => void told.push(name))
    globalThis.signed = latchkey.login().then(() => latchkey.signMessage('Right after the login'))
  })
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.approve()
  expect(await page.evaluate(async () => (await signed).signature)).toMatch(/^0x[0-9a-f]{130}$/)
  await page.keyboard.press('Enter')
  await host.dialogCloses()
  expect(await page.evaluate(() => told)).toEqual(['open', 'close'])
})

test.describe('the welcome screen of a new user', () => {
  /**
   * Measures the time from the first sight of 'Welcome' until the page is free, by the browser's own clock.
   */
  async function watchWelcome({ page, card }: HostPage) {
    await page.evaluate(() => {
      const dialog = document.querySelector('dialog')
      new MutationObserver(() => {
        if (dialog && !dialog.open) globalThis.pageFreeAtMs ??= Date.now()
      }).observe(document.documentElement, { attributes: true, subtree: true })
    })
    await card.evaluate((element) => {
      new MutationObserver(() => {
        const title = element.querySelector('[data-leaving="false"] h2')
        if (title?.textContent === 'Welcome') globalThis.welcomeAtMs ??= Date.now()
      }).observe(element, { childList: true, subtree: true, characterData: true })
    })
    return async () => {
      const seenAtMs = await page.frames()[1]?.evaluate(() => welcomeAtMs)
      return (await page.evaluate(() => pageFreeAtMs ?? Number.NaN)) - (seenAtMs ?? Number.NaN)
    }
  }

  test('is skipped with Escape, and the page is free', async ({ host, inbox, page }) => {
    await host.open()
    await host.openLogin()
    await host.askForCode(inbox.address)
    const stoodMs = await watchWelcome(host)
    await host.typeCode(await inbox.nextCode())
    await host.dialog.getByRole('heading', { name: 'Welcome' }).waitFor()
    await page.keyboard.press('Escape')
    await host.dialogCloses()
    // Without a skip it stays for 2.5 s and leaves within 0.2 s.
    expect(await stoodMs()).toBeLessThan(2_400)
    await host.byTestId('logout').click()
    await expect(host.byTestId('login')).toBeVisible()
  })
})
