/** The steps to a recovery password, as somebody goes through them who keeps theirs. */
import { expect } from '@playwright/test'
import type { HostPage } from './host-page.ts'

type Card = Pick<HostPage, 'shown'>

const heading = ({ shown }: Card, name: string | RegExp) => shown.getByRole('heading', { name })
const next = ({ shown }: Card) => shown.getByRole('button', { name: 'Continue' }).click()
const type = ({ shown }: Card, password: string) =>
  shown.getByLabel('Password', { exact: true }).fill(password)

/** From the first step to the last question: what is left is to press. */
export async function choosePassword(host: Card, password: string) {
  await expect(heading(host, /^(Create your password|Choose a new password)$/)).toBeVisible()
  await type(host, password)
  await next(host)
  await expect(heading(host, 'Save your password')).toBeVisible()
  await next(host)
  await expect(heading(host, 'Confirm your password')).toBeVisible()
  await type(host, password)
  await next(host)
  await expect(heading(host, 'One last thing')).toBeVisible()
  await host.shown.getByRole('checkbox').check()
}

export const setButton = ({ shown }: Card) => shown.getByRole('button', { name: 'Set Password' })

/** What the vault and the server do together is given the time that their calls have. */
export const passwordIsSet = (host: Card) =>
  expect(heading(host, 'Password set')).toBeVisible({ timeout: 30_000 })

export async function recoverWith({ shown }: Card, password: string) {
  await shown.getByLabel('Recovery password').fill(password)
  await shown.getByRole('button', { name: 'Recover' }).click()
}
