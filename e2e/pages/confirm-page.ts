/** What a card leads to that can not be approved on it: a page of its own, as a person goes there and confirms. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect } from '../test.ts'
import type { HostPage } from './host-page.ts'
import { isReached, pressGated } from './pointer.ts'

/** The wallet's origin draws this button, in a frame of its own. */
export const toPage = (dialog: Pick<Page, 'frameLocator'>) =>
  dialog.frameLocator('iframe[title="Continue to confirm"]').getByRole('button')

/** The page that the card opens. */
export async function openPage(
  host: HostPage,
  context: BrowserContext,
  button = toPage(host.dialog),
): Promise<Page> {
  await isReached(button)
  const [opened] = await Promise.all([context.waitForEvent('page'), button.click()])
  return opened
}

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
  await expect
    .poll(async () => page.isClosed() || (await page.getByRole('heading', { name: 'Confirmed' }).isVisible()))
    .toBe(true)
}
