/** The third-party window in which a user confirms a login: OAuth provider or Telegram. */
import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import { isReached } from './pointer.ts'

/** Presses the button and returns the window that it opens. */
export async function openWindow(context: BrowserContext, button: Locator): Promise<Page> {
  await isReached(button)
  const [opened] = await Promise.all([context.waitForEvent('page'), button.click()])
  return opened
}

/** Confirms the login as the person with this name. */
export async function confirmAs(window: Page, name: string) {
  await window.getByRole('textbox', { name: 'Somebody else' }).fill(name)
  await window.getByRole('button', { name: 'Continue', exact: true }).click()
}

/** The app setting for pages that send `Cross-Origin-Opener-Policy: same-origin`. */
export const cutsWindowsOff = (isSo: boolean) =>
  `cross_origin_opener_policy=${isSo ? '"same-origin"' : 'null'}`

/** Types the digits of the card into a window that cannot reach its opener. */
export async function typeDigits(window: Page, dialog: FrameLocator, digits?: string) {
  const status = await dialog
    .getByText('Type these two digits in the window that opened')
    .locator('..')
    .getByRole('strong')
    .textContent()
  await window.getByRole('textbox', { name: 'Two digits' }).fill(digits ?? status ?? '')
  await window.getByRole('button', { name: 'Continue' }).click()
}
