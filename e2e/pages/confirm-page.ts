/** What a card leads to that can not be approved on it: a page of its own, as a person goes there and confirms. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect } from '../test.ts'
import type { HostPage } from './host-page.ts'
import { openWindow } from './login-window.ts'
import { pressGated } from './pointer.ts'

/** The wallet's origin draws this button, in a frame of its own. */
export const toPage = (dialog: Pick<Page, 'frameLocator'>) =>
  dialog.frameLocator('iframe[title="Continue to confirm"]').getByRole('button')

/** The page that the card opens. */
export const openPage = (
  host: HostPage,
  context: BrowserContext,
  button = toPage(host.dialog),
): Promise<Page> => openWindow(context, button)

/** There and back: the page closes by itself, and the one before is in front again. */
export async function confirmOnPage(host: HostPage, name: string, button?: Locator) {
  const confirmation = await openPage(host, host.page.context(), button)
  await confirm(confirmation, name)
  await confirmation.waitForEvent('close').catch(() => {})
  await host.page.bringToFront()
}

/** Some pages close as soon as they have said so. */
export async function confirm(page: Page, name: string) {
  await pressGated(page.getByRole('button', { name }))
  const says = page.getByRole('heading', { name: 'Confirmed' })
  await expect.poll(async () => (await says.isVisible().catch(() => false)) || page.isClosed()).toBe(true)
}
