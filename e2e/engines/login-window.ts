/** The third-party window in which a user confirms a login: OAuth provider or Telegram. */
import type { Page } from 'puppeteer-core'

/** Confirms the login as the person with this name. */
export async function confirmAs(window: Page, name: string) {
  const field = await window.waitForSelector('label input[name="person"]', { visible: true })
  await field?.type(name)
  await window.keyboard.press('Enter')
}

export async function pressIn(window: Page, name: string) {
  const button = await window.waitForSelector(`::-p-xpath(//button[normalize-space()="${name}"])`)
  await button?.click()
}
