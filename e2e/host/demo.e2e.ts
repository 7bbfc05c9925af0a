/** The demo: what can be tried stands beside the code that does it, and what the page heard. */
import { parseEther } from 'viem'
import { expectNoViolations } from '../pages/axe.ts'
import { chainOf } from '../pages/transactions.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

test('each thing to try shows the lines that do it, and the page what it heard', async ({
  host,
  inbox,
  page,
}) => {
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
  await expectNoViolations(page, 'The demo, logged in')
})

test('on a phone the code stands below what was chosen, and nothing is wider than the page', async ({
  host,
  inbox,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await host.open()
  await host.logIn(inbox)
  await host.byTestId('sign-input').focus()
  await expect(page.locator('[data-thing="signMessage"] + #code')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('a transaction is reviewed with its amount in dollars, and a link leads to a second site of the app', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await stack.app('set', appId, `rpc_urls.31337=${JSON.stringify([stack.chainUrl])}`, 'test_networks=[]')
  await host.open()
  await host.logIn(inbox)
  await expect(host.byTestId('second-site')).toHaveAttribute('href', stack.otherHostOrigin)
  const address = (await host.walletAddress()) as `0x${string}`
  await chainOf(stack.chainUrl).setBalance({ address, value: parseEther('1') })
  await page.getByRole('button', { name: 'Send: A transaction' }).click()
  await expect(host.dialog.getByText(/\$25(\.|\b)/).first()).toBeVisible()
})
