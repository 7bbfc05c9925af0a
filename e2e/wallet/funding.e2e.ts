/** Card payments, from the host page through the provider's tab to the chain and back. */
import type { BrowserContext, Page } from '@playwright/test'
import { type Hex, parseEther } from 'viem'
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall, getError, setConfig } from '../pages/page-calls.ts'
import { beginRequest, createChainClient, someone } from '../pages/transactions.ts'
import { installWallet } from '../pages/wallet.ts'
import { appId, appName } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

type Ended = { user?: { status: string | null }; code?: string }

test.slow()

let wallet: Hex = '0x'

test.describe.configure({ mode: 'default' })
test.use({
  settings: ['rpc_urls.31337=[{chain}]', 'test_networks=[31337]', 'fiat_on_ramp_enabled=true'],
  isLoggedIn: true,
})
test.beforeEach(async ({ host, stack, walletAddress: address }) => {
  wallet = address
  await host.openOneLine()
  await setConfig(host.page, { fiatOnRamp: { useSandbox: true } })
  await createChainClient(stack.chainUrl).setBalance({ address: wallet, value: parseEther('1') })
})

/** Presses Pay. Returns the provider's tab. */
async function pay(host: HostPage, context: BrowserContext): Promise<Page> {
  const opens = context.waitForEvent('page')
  await host.dialog.getByRole('button', { name: 'Continue to MoonPay' }).click()
  const tab = await opens
  await expect(tab.getByText(wallet)).toBeVisible()
  return tab
}
/** Returns the error of a call that shows nothing. */
const refusalOfFunding = async (page: Page, options: object = {}) =>
  (await getError(page, 'fundWallet', wallet, options))[1]
const fund = (page: Page) => beginCall<Ended>(page, 'fundWallet', wallet)

// spec W2.28, W2.30, W4.26, W4.30, W7.1, W7.4
test('a payment starts in the dialog, is made at the provider, and arrives', async ({
  context,
  host,
  page,
  stack,
}) => {
  const chain = createChainClient(stack.chainUrl)
  const before = await chain.getBalance({ address: wallet })
  const funded = await fund(page)
  await expect(
    host.dialog.getByText(`${appName} uses a card payment provider to fund your account`, { exact: true }),
  ).toBeVisible()
  await expectNoViolations(page, 'Fund account')
  const tab = await pay(host, context)
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  // The previous screen has the same title while it leaves.
  await expect(host.shown.getByRole('heading', { name: 'Fund account' })).toBeVisible()
  await expect(host.shown.getByText('In Progress', { exact: true })).toBeVisible()
  await expectNoViolations(page, 'In Progress')
  await tab.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(tab.getByText('Thank you.')).toBeVisible()
  await tab.close()
  await expect(host.dialog.getByText("You've funded your account!", { exact: true })).toBeVisible()
  await expectNoViolations(page, 'Funded')
  await host.dialog.getByRole('button', { name: 'Continue' }).click()
  expect(await funded()).toMatchObject({ user: { status: 'completed' } })
  expect((await chain.getBalance({ address: wallet })) - before).toBe(parseEther('0.02'))
})

// spec W4.27
test('a card that is opened again continues the payment and shows its failure', async ({
  context,
  host,
  page,
}) => {
  const first = await fund(page)
  const tab = await pay(host, context)
  await page.bringToFront()
  await host.dialog.getByRole('button', { name: 'Close' }).first().click()
  expect(await first()).toMatchObject({ user: { status: 'pending' } })
  await tab.getByRole('button', { name: 'The card is declined' }).click()
  await expect(tab.getByText('Thank you.')).toBeVisible()
  await tab.close()
  const again = await fund(page)
  await expect(host.dialog.getByText('Something went wrong!', { exact: true })).toBeVisible()
  await expect(host.dialog.getByText(/MoonPay support/)).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Done' }).click()
  expect(await again()).toMatchObject({ user: { status: 'failed' } })
})

// spec W8.37, W8.38
test('disabled funding offers nothing, and an unknown provider is rejected', async ({
  host,
  page,
  stack,
}) => {
  expect(await refusalOfFunding(page, { provider: 'coinbase' })).toBe('Unsupported fund provider: coinbase')
  await stack.app('set', appId, 'fiat_on_ramp_enabled=false')
  await page.reload()
  await page.waitForFunction('window.latchkey')
  const requests: string[] = []
  page.context().on('request', (request) => requests.push(request.url()))
  expect(await refusalOfFunding(page)).toBe('Fiat on-ramp is not enabled')
  expect(requests.filter((url) => /moonpay|prompt-screen|receive-screen|status-screen/.test(url))).toEqual([])
  await host.dialogCloses()
})

// spec W2.23, W8.15
test('a transaction without funds returns to its review after they arrived', async ({
  host,
  page,
  stack,
}) => {
  const chain = createChainClient(stack.chainUrl)
  await chain.setBalance({ address: wallet, value: 1n })
  await beginRequest(page, 'sendTransaction', { to: someone, value: '0x16345785d8a0000' })
  await expect(host.dialog.getByText(/^Add funds on .* to complete the transaction\.$/)).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Add Funds' }).click()
  await host.dialog.getByRole('button', { name: 'Receive from someone or from another wallet' }).click()
  await expect(host.shown.getByText(wallet, { exact: true })).toBeVisible()
  await expect(host.dialog.getByRole('link', { name: 'Get test coins' })).toBeVisible()
  await expectNoViolations(page, 'Receive')
  await chain.setBalance({ address: wallet, value: parseEther('1') })
  await expect(host.dialog.getByRole('heading', { name: 'Send ETH' })).toBeVisible({ timeout: 15_000 })
  await expect(host.dialog.getByRole('button', { name: 'Submit' })).toBeEnabled()
})

test('a browser wallet pays the chosen amount, and it arrives', async ({ host, page, stack }) => {
  const chain = createChainClient(stack.chainUrl)
  const own = await installWallet(page, { name: 'Cairn', rdns: 'example.cairn', chainUrl: stack.chainUrl })
  await chain.setBalance({ address: own.address as Hex, value: parseEther('2') })
  await stack.app('set', appId, 'wallet_auth=true')
  await host.openOneLine()
  await setConfig(page, { fiatOnRamp: { useSandbox: true } })
  const before = await chain.getBalance({ address: wallet })
  const funded = await fund(page)
  await host.dialog.getByRole('button', { name: 'Transfer from your own wallet' }).click()
  await host.dialog.getByLabel('Amount in ETH').fill('0.25')
  await expectNoViolations(page, 'Transfer from a wallet')
  await host.dialog.getByRole('button', { name: 'Choose a wallet' }).click()
  await host.dialog.getByRole('button', { name: 'Cairn' }).click()
  await expect(host.dialog.getByText('0.25 ETH arrived')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Done' }).click()
  expect(await funded()).toEqual({ user: { status: null } })
  expect(await chain.getBalance({ address: wallet })).toBe(before + parseEther('0.25'))
  expect(own.asked.map(({ method }) => method)).toContain('wallet_switchEthereumChain')
})
