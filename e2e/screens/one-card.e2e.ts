import type { Page } from '@playwright/test'
import type { HostPage } from '../pages/host-page.ts'
import { expect, test } from '../test.ts'

declare global {
  /** What a page with the one line has of the loader. */
  var latchkey: {
    on: (name: 'open' | 'close', run: () => void) => void
    login: () => Promise<unknown>
    logout: () => Promise<unknown>
    getUser: () => Promise<{ id: string } | null>
    signMessage: (message: string) => Promise<{ signature: string }>
  }
  /** What the loader told the page of the card. */
  var told: string[]
  var pageFreeAtMs: number | undefined
  var welcomeAtMs: number | undefined
  var signed: ReturnType<typeof globalThis.latchkey.signMessage>
}

test('a signature that is asked for right after the login takes its card over', async ({
  host,
  inbox,
  page,
}) => {
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

test.describe('what says that a new user is in', () => {
  /** From when 'Welcome' is seen until the page is free, by the clock of the browser that shows both. */
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

  const presses: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    Enter: (page) => page.keyboard.press('Enter'),
    Space: (page) => page.keyboard.press('Space'),
    Escape: (page) => page.keyboard.press('Escape'),
    'a press beside the card': (page) => page.mouse.click(8, 8),
  }
  for (const [name, press] of Object.entries(presses)) {
    test(`is skipped with ${name}, and the page is free`, async ({ host, inbox, page }) => {
      await host.open()
      await host.openLogin()
      await host.askForCode(inbox.address)
      const stoodMs = await watchWelcome(host)
      await host.typeCode(await inbox.nextCode())
      await host.dialog.getByRole('heading', { name: 'Welcome' }).waitFor()
      await press(page)
      await host.dialogCloses()
      // Unskipped it stands for 2.5 s, and leaves in 0.2.
      expect(await stoodMs()).toBeLessThan(2_400)
      await host.byTestId('logout').click()
      await expect(host.byTestId('login')).toBeVisible()
    })
  }
})
