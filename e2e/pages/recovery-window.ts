/** The wallet window in which a user sets or uses a recovery method. */
import type { Page } from '@playwright/test'
import { expect } from '../test.ts'
import type { HostPage } from './host-page.ts'
import { openWindow as openBy } from './login-window.ts'
import { beginCall } from './page-calls.ts'
import { isReached, pressGated } from './pointer.ts'

type Card = Pick<HostPage, 'shown' | 'page'>

const heading = (window: Page, name: string | RegExp) => window.getByRole('heading', { name })
const next = (window: Page) => window.getByRole('button', { name: 'Continue' }).click()
const type = (window: Page, password: string) => window.getByLabel('Password', { exact: true }).fill(password)

/** Opens the window with the button on the card, in a frame of the wallet origin. */
export const openWindow = ({ shown, page }: Card, button = 'Continue'): Promise<Page> =>
  openBy(page.context(), shown.frameLocator(`iframe[title="${button}"]`).getByRole('button'))

/** Goes from the first step to the last, so that only the final press is left. */
export async function choosePassword(window: Page, password: string) {
  await expect(heading(window, /^(Create your password|Choose a new password)$/)).toBeVisible()
  await type(window, password)
  await next(window)
  await expect(heading(window, 'Save your password')).toBeVisible()
  await next(window)
  await expect(heading(window, 'Confirm your password')).toBeVisible()
  await type(window, password)
  await next(window)
  await expect(heading(window, 'One last thing')).toBeVisible()
  await window.getByRole('checkbox').check()
}

export const setButton = (window: Page) => window.getByRole('button', { name: 'Set Password' })

/** Sets a password for an existing wallet, from its choice to the final press. */
export async function setPasswordIn(window: Page, password: string) {
  await choosePassword(window, password)
  await pressGated(setButton(window))
}

/** Waits for the confirmation, within the deadlines of the vault and server calls. */
export const passwordIsSet = ({ shown }: Card) =>
  expect(shown.getByRole('heading', { name: 'Password set' })).toBeVisible()

export async function enterPassword(window: Page, password: string) {
  await window.getByLabel('Recovery password').fill(password)
  await window.getByRole('button', { name: 'Recover' }).click()
}

/** Opens the window and enters the recovery password. */
export async function recoverWith(card: Card, password: string): Promise<Page> {
  // The previous card may have a button of the same name for a window that is still open.
  await expect(card.shown.getByRole('heading', { name: 'Enter your password' })).toBeVisible()
  const window = await openWindow(card)
  await enterPassword(window, password)
  return window
}

/** Sets the password from the app's call to the closed card, if the app allows several methods. */
export async function setPasswordRecovery(host: HostPage, password: string) {
  const set = await beginCall<{ code?: string }>(host.page, 'setWalletRecovery')
  const choice = host.shown.getByRole('button', { name: 'Set password', exact: true })
  await isReached(choice)
  await choice.click()
  await setPasswordIn(await openWindow(host), password)
  await passwordIsSet(host)
  expect(await set()).not.toHaveProperty('code')
  await host.shown.getByRole('button', { name: 'All done' }).click()
  await host.dialogCloses()
}
