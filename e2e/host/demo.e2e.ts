/** The demo shows each feature next to its code, and the events that the page received. */

import { openPhone } from '@latchkey/sandbox'
import { parseEther } from 'viem'
import { expectNoViolations } from '../pages/axe.ts'
import { PhoneEntry } from '../pages/phone-entry.ts'
import { createChainClient, press, someone } from '../pages/transactions.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

test('each example shows its code and the events that the page received', async ({ host, inbox, page }) => {
  await host.open()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('running wholly on this machine')
  await expect(host.byTestId('code')).toContainText('await latchkey.login()')
  await expect(page.getByRole('button', { name: 'Send: A transaction' })).toBeDisabled()
  await expectNoViolations(page, 'The demo, logged out')
  await host.logIn(inbox)
  await expect(host.byTestId('event-log')).toContainText('login')
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await expect(host.byTestId('code')).toContainText('await latchkey.signMessage(message)')
  await host.sign('From the demo')
  await expect(host.byTestId('event-log')).toContainText('signMessage() resolved')
  await host.dialogCloses()
  await expectNoViolations(page, 'The demo, logged in')
  // On a phone the code is below the selected example, and nothing overflows the page.
  await page.setViewportSize({ width: 390, height: 844 })
  await host.byTestId('sign-input').focus()
  await expect(page.locator('[data-thing="signMessage"] + #code')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test.describe('a user with a wallet', () => {
  test.use({ settings: ['rpc_urls.31337=[{chain}]'], isLoggedIn: true })

  test('a transaction is reviewed with its dollar amount, and a link opens a second site of the app', async ({
    host,
    page,
    stack,
  }) => {
    await host.open()
    await expect(host.byTestId('second-site')).toHaveAttribute('href', stack.otherHostOrigin)
    const address = await host.walletAddress()
    await createChainClient(stack.chainUrl).setBalance({ address, value: parseEther('1') })
    await page.getByRole('button', { name: 'Send: A transaction' }).click()
    await expect(host.dialog.getByText(/\$25(\.|\b)/).first()).toBeVisible()
  })

  test('the event log shows the hash of a mined transaction', async ({ host, page, stack }) => {
    await stack.app('set', appId, 'test_networks=[31337]')
    await host.open()
    const chain = createChainClient(stack.chainUrl)
    const address = await host.walletAddress()
    await chain.setBalance({ address, value: parseEther('1') })
    const balanceBefore = await chain.getBalance({ address: someone })
    await page.getByRole('button', { name: 'Send: A transaction' }).click()
    const success = host.dialog.getByRole('heading', { name: 'Transaction complete!' })
    await press(host.dialog.getByRole('button', { name: 'Submit' }), success)
    await host.dialog.getByRole('button', { name: 'All Done' }).click()
    await host.dialogCloses()
    await expect(host.byTestId('event-log')).toContainText(/send\(\) resolved.*0x[0-9a-f]{64}/)
    expect((await chain.getBalance({ address: someone })) - balanceBefore).toBe(parseEther('0.01'))
  })
})

test('a linked account is unlinked, and a session is forked', async ({ host, inbox, page, stack }) => {
  await stack.app('set', appId, 'sms_auth=true')
  await host.open()
  await host.logIn(inbox)
  await page.getByRole('button', { name: 'Fork: A fork' }).click()
  await expect(host.byTestId('event-log')).toContainText(/forkSession\(\) resolved\d* characters, for 60 s/)
  const phone = openPhone(stack.sandboxUrl)
  await page.getByRole('button', { name: 'Link: Phone' }).click()
  await new PhoneEntry(host).askForCode(phone.address.slice('+1'.length))
  await host.typeCode(await phone.nextCode())
  await expect(host.byTestId('event-log')).toContainText(/linkPhone\(\) resolved3 accounts/)
  await host.dialogCloses()
  await page.getByRole('button', { name: 'Unlink: The phone' }).click()
  await host.dialog.getByRole('button', { name: 'Unlink' }).click()
  await expect(host.byTestId('event-log')).toContainText(/unlinkPhone\(\) resolved2 accounts/)
  await host.dialogCloses()
})
