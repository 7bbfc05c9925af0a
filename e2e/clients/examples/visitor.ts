/** Steps that every example supports. */

import type { Inbox } from '@latchkey/sandbox'
import { recoverMessageAddress } from 'viem'
import type { ClientPage } from '../page.ts'
import { expect } from './example.ts'

export async function logIn(
  client: ClientPage,
  inbox: Inbox,
  press = () => client.page.getByRole('button', { name: 'Log in' }).click(),
) {
  await client.logIn(inbox, press())
  await expect(client.page.getByText(`Hello ${inbox.address}`)).toBeVisible()
}

/** Returns the wallet of the user, read from another page of the same origin. */
async function walletOn({ page, stack }: ClientPage) {
  const other = await page.context().newPage()
  await other.goto(`${stack.hostOrigin}/one-line.html`)
  await other.waitForFunction('window.latchkey')
  const address = await other.evaluate<string>('latchkey.getUser().then(({ wallet }) => wallet.address)')
  await other.close()
  return address
}

export async function sign(client: ClientPage) {
  const { page, host } = client
  await page.getByRole('button', { name: 'Sign a message' }).click()
  await host.approve()
  await expect(page.getByRole('status')).toHaveText(/^0x[0-9a-f]{130}$/)
  await host.dialogCloses()
  const signature = (await page.getByRole('status').textContent()) as `0x${string}`
  const signer = await recoverMessageAddress({ message: 'I agree to share my observations.', signature })
  expect(signer).toBe(await walletOn(client))
}

/** Checks that the user is still logged in after a reload, and logs out. */
export async function logOut(
  { page }: ClientPage,
  inbox: Inbox,
  wayIn = page.getByRole('button', { name: 'Log in' }),
) {
  await page.reload()
  await expect(page.getByText(`Hello ${inbox.address}`)).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(wayIn).toBeVisible()
  await expect(page.getByText('Hello')).toBeHidden()
}
