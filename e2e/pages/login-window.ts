/** The window of somebody else, in which a person confirms a login: of an OAuth provider, or of Telegram. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { isReached } from './pointer.ts'

/** Presses what opens it. */
export async function openWindow(context: BrowserContext, button: Locator): Promise<Page> {
  await isReached(button)
  const [opened] = await Promise.all([context.waitForEvent('page'), button.click()])
  return opened
}

/** As somebody whom it knows by this name. */
export async function confirmAs(window: Page, name: string) {
  await window.getByRole('textbox', { name: 'Somebody else' }).fill(name)
  await window.getByRole('button', { name: 'Go on', exact: true }).click()
}
