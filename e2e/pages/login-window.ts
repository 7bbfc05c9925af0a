/** The window of somebody else, in which a person confirms a login: of an OAuth provider, or of Telegram. */
import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import { isReached } from './pointer.ts'

/** Presses what opens it. */
export async function openWindow(context: BrowserContext, button: Locator): Promise<Page> {
  await isReached(button)
  const [opened] = await Promise.all([context.waitForEvent('page'), button.click()])
  return opened
}

/** Confirms the login as the person whom the provider knows by this name. */
export async function confirmAs(window: Page, name: string) {
  await window.getByRole('textbox', { name: 'Somebody else' }).fill(name)
  await window.getByRole('button', { name: 'Continue', exact: true }).click()
}

/** What an operator says of an app whose pages send `Cross-Origin-Opener-Policy: same-origin`. */
export const cutsWindowsOff = (isSo: boolean) =>
  `cross_origin_opener_policy=${isSo ? '"same-origin"' : 'null'}`

/** Types the digits of the card into a window that cannot ask the card. */
export async function typeDigits(window: Page, dialog: FrameLocator, digits?: string) {
  const shown = await dialog
    .getByText('Type these two digits in the window that opened')
    .locator('..')
    .getByRole('strong')
    .textContent()
  await window.getByRole('textbox', { name: 'Two digits' }).fill(digits ?? shown ?? '')
  await window.getByRole('button', { name: 'Continue' }).click()
}
