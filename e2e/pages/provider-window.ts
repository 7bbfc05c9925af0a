/** The window in which somebody uses a wallet that they have in another app. */
import { expect, type Page } from '@playwright/test'
import type { Inbox } from '../stack/inbox.ts'
import { isReached } from './pointer.ts'

/** Logs in where the wallet is, on the page that the window comes to first. */
export async function logInAtProvider(window: Page, inbox: Inbox) {
  const email = window.getByRole('textbox', { name: /e-?mail/i })
  await email.fill(inbox.address)
  await email.press('Enter')
  await expect(window.getByRole('group', { name: /code/i }).getByRole('textbox').first()).toBeFocused()
  await window.keyboard.type(await inbox.nextCode())
}

/** Presses what approves, as the page wants it pressed. */
export async function pressGated(window: Page, name: string) {
  const button = window.getByRole('button', { name: new RegExp(`^(${name}|Press again to confirm)$`) })
  const isOver = () => window.isClosed()
  for (let press = 0; press < 3 && !isOver(); press += 1) {
    await isReached(button)
    await expect(button).toHaveAttribute('data-gate', 'ready')
    await button.click()
    const isTaken = await button.waitFor({ state: 'detached', timeout: 5_000 }).then(
      () => true,
      () => isOver(),
    )
    if (isTaken) return
  }
}
