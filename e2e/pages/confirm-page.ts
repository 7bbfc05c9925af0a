/** The confirmation page, for actions that cannot be approved on the card. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect } from '../test.ts'
import type { HostPage } from './host-page.ts'
import { openWindow } from './login-window.ts'
import { pressGated } from './pointer.ts'

/** The button in a frame of the wallet origin. */
export const toPage = (dialog: Pick<Page, 'frameLocator'>) =>
  dialog.frameLocator('iframe[title="Continue to confirm"]').getByRole('button')

/** Opens the page from the card. */
export const openPage = (
  host: HostPage,
  context: BrowserContext,
  button = toPage(host.dialog),
): Promise<Page> => openWindow(context, button)

/** Confirms on the page, which then closes itself and returns to the previous one. */
export async function confirmOnPage(host: HostPage, name: string, button?: Locator) {
  const confirmation = await openPage(host, host.page.context(), button)
  await confirm(confirmation, name)
  await confirmation.waitForEvent('close').catch(() => {})
  await host.page.bringToFront()
}

/** Presses the button. Some pages close right after that. */
export async function confirm(page: Page, name: string) {
  await pressGated(page.getByRole('button', { name }))
  const says = page.getByRole('heading', { name: 'Confirmed' })
  await expect.poll(async () => (await says.isVisible().catch(() => false)) || page.isClosed()).toBe(true)
}
