import type { Locator } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall } from '../pages/page-calls.ts'
import { installWallet, type TestWallet } from '../pages/wallet.ts'
import { readDatabase } from '../stack/database.ts'
import { appId } from '../stack/stack.ts'
import { test as base, expect } from '../test.ts'

type Account = { type: string; address?: string; walletClientType?: string }
type User = { id: string; linkedAccounts: readonly Account[] }
type CallResult = { user?: User & { user?: User }; code?: string }
const begin = beginCall<CallResult>

type Fixtures = { wallet: TestWallet; other: TestWallet }
const test = base.extend<Fixtures>({
  wallet: async ({ page }, use) => use(await installWallet(page, { name: 'MetaMask', rdns: 'io.metamask' })),
  other: async ({ page }, use) => use(await installWallet(page, { name: 'Cairn', rdns: 'example.cairn' })),
})
test.use({ settings: ['wallet_auth=true'] })

const heading = (host: HostPage, name: string | RegExp): Locator => host.dialog.getByRole('heading', { name })
const button = (host: HostPage, name: string | RegExp): Locator => host.dialog.getByRole('button', { name })
const choose = (host: HostPage, name: string) => button(host, new RegExp(`^${name}`)).click()
/** Expects this label at the end of a hovered row, instead of the previous one. */
async function expectOnHover(row: Locator, { shown, hidden }: { shown: string; hidden?: string }) {
  await row.page().mouse.move(0, 0)
  await expect(row.getByText(shown)).toHaveCSS('opacity', '0')
  await row.hover()
  await expect(row.getByText(shown)).toHaveCSS('opacity', '1')
  if (hidden) await expect(row.getByText(hidden)).toHaveCSS('opacity', '0')
}

async function toWallets(host: HostPage) {
  await button(host, 'Continue with a wallet').click()
  await expect(heading(host, 'Choose a wallet')).toBeVisible()
}
const getDomain = (host: HostPage) => new URL(host.stack.hostOrigin).host

// spec L1.4, L2.19, L2.23, L2.28, L2.44, L2.45, L4.29, L7.19, L7.20
test('a wallet logs its user in, and is the same user the next time', async ({
  host,
  page,
  stack,
  wallet,
  other,
}) => {
  await host.openOneLine()
  const loggedIn = await begin(page, 'login')
  await toWallets(host)
  const rows = host.dialog.getByRole('button', { name: /Connect$/ })
  await expect(rows.nth(0)).toHaveText(/^MetaMask/)
  await expect(rows.nth(1)).toHaveText(/^Cairn/)
  await expect(rows).toHaveCount(10)
  await expectOnHover(rows.nth(1), { shown: 'Connect' })
  await expectNoViolations(page, 'choosing a wallet')
  await choose(host, 'MetaMask')
  await expect(heading(host, 'Successfully connected')).toBeVisible()
  await host.dialogCloses()
  const { user } = await loggedIn()
  expect(user).toMatchObject({
    isNewUser: true,
    loginMethod: 'wallet',
    loginAccount: {
      type: 'wallet',
      address: wallet.address,
      chainType: 'ethereum',
      chainId: 'eip155:1',
      walletClient: 'unknown',
      walletClientType: 'metamask',
      connectorType: 'injected',
    },
  })
  const domain = getDomain(host)
  expect(wallet.messages()).toEqual([
    expect.stringMatching(
      new RegExp(
        `^${domain} wants you to sign in with your Ethereum account:\n${wallet.address}\n\n.+\n\nURI: https://${domain}\nVersion: 1\nChain ID: 1\nNonce: \\w{32}\nIssued At: .+Z$`,
      ),
    ),
  ])
  expect(other.asked).toEqual([])

  await page.evaluate(() => latchkey.logout())
  const again = await begin(page, 'login')
  await toWallets(host)
  await expect(rows.nth(0)).toHaveText(/^Cairn/)
  const lastUsed = button(host, /^MetaMask.*Last used$/)
  await expectOnHover(lastUsed, { shown: 'Connect', hidden: 'Last used' })
  await lastUsed.click()
  await host.dialogCloses()
  expect(await again()).toMatchObject({ user: { isNewUser: false, user: { id: user?.user?.id } } })
  const accounts = readDatabase(
    stack.databaseFile,
    'select user_id from linked_accounts where identifier = ?',
    wallet.address.toLowerCase(),
  )
  expect(accounts).toHaveLength(1)
})

// spec L4.27, L4.28, L8.20, L2.40
test('a rejection may be retried twice, and then another method is shown', async ({ host, page, wallet }) => {
  await host.openOneLine()
  const loggedIn = await begin(page, 'login')
  await toWallets(host)
  wallet.refuseNext('eth_requestAccounts')
  await choose(host, 'MetaMask')
  await expect(heading(host, 'Connection rejected')).toBeVisible()
  await expectNoViolations(page, 'a wallet that was refused')
  wallet.refuseNext('personal_sign')
  await button(host, 'Try again').click()
  await expect(heading(host, 'Unable to connect wallet')).toBeVisible()
  wallet.refuseNext('eth_requestAccounts')
  await button(host, 'Try again').click()
  await expect(heading(host, 'Could not connect with wallet')).toBeVisible()
  await expectNoViolations(page, 'a wallet that was given up')
  await button(host, 'Try again').click()
  await toWallets(host)
  await choose(host, 'MetaMask')
  await host.dialogCloses()
  expect(await loggedIn()).toMatchObject({ user: { loginMethod: 'wallet' } })
})

// spec L3.31, L4.29
test('a wallet on another network switches to one that the page supports', async ({ host, page, wallet }) => {
  await host.openOneLine()
  await (await begin(page, 'setConfig', { supportedChains: [8453, 10], defaultChain: 10 }))()
  const loggedIn = await begin(page, 'login')
  await toWallets(host)
  await choose(host, 'MetaMask')
  await host.dialogCloses()
  expect(wallet.asked.map(({ method }) => method)).toEqual([
    'eth_requestAccounts',
    'eth_chainId',
    'wallet_switchEthereumChain',
    'personal_sign',
  ])
  expect(wallet.messages()[0]).toContain('\nChain ID: 10\n')
  expect(await loggedIn()).toMatchObject({ user: { loginAccount: { chainId: 'eip155:10' } } })
})

// spec L1.14, L3.19, L9.12
test('a page selects the available wallets, and may show them first', async ({
  host,
  page,
  wallet,
  other,
}) => {
  await host.openOneLine()
  await (
    await begin(page, 'setConfig', {
      appearance: {
        loginGroupPriority: 'web3-first',
        walletList: ['rainbow', 'metamask', 'detected_wallets'],
      },
    })
  )()
  const rows = host.dialog.getByRole('button', { name: /Connect$/ })
  // Rows keep their place. On a busy machine the wallets are announced later, so check a second card.
  const closed = await begin(page, 'login')
  await expect(rows).toHaveCount(3)
  await page.keyboard.press('Escape')
  expect(await closed()).toMatchObject({ code: 'exited_auth_flow' })
  const loggedIn = await begin(page, 'login')
  await expect(rows).toHaveCount(3)
  await expect(rows).toHaveText([/^MetaMask/, /^Cairn/, /^Rainbow/])
  await expectNoViolations(page, 'wallets first')
  await choose(host, 'Cairn')
  await host.dialogCloses()
  expect(await loggedIn()).toMatchObject({
    user: { loginAccount: { address: other.address, walletClientType: 'example.cairn' } },
  })
  expect(wallet.asked).toEqual([])
})

// spec L5.20, L7.13, L8.19
test("another user's wallet is not linked, and another one can be linked and unlinked", async ({
  host,
  inbox,
  page,
  wallet,
  other,
}) => {
  await host.openOneLine()
  await begin(page, 'login')
  await toWallets(host)
  await choose(host, 'MetaMask')
  await host.dialogCloses()
  await page.evaluate(() => latchkey.logout())
  await begin(page, 'login')
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()

  const linked = await begin(page, 'linkWallet')
  await expect(heading(host, 'Link your wallet')).toBeVisible()
  await expectNoViolations(page, 'linking a wallet')
  await choose(host, 'MetaMask')
  await expect(host.dialog.getByText('This account has already been linked to another user.')).toBeVisible()
  await expectNoViolations(page, "another user's wallet")
  await button(host, 'Use a different wallet').click()
  await choose(host, 'Cairn')
  await host.dialogCloses()
  const { user } = await linked()
  expect(user?.linkedAccounts.map(({ address }) => address)).toContain(other.address)
  const embedded = user?.linkedAccounts.find(({ walletClientType }) => walletClientType === 'latchkey')
  expect(await (await begin(page, 'unlinkWallet', embedded?.address))()).toEqual({
    code: 'cannot_unlink_embedded_wallet',
  })
  const unlinked = await begin(page, 'unlinkWallet', other.address)
  await button(host, 'Unlink').click()
  await host.dialogCloses()
  const left = (await unlinked()).user?.linkedAccounts.map(({ address }) => address)
  expect(left).toEqual(expect.not.arrayContaining([other.address]))
  expect(left).toContain(embedded?.address)
  expect(wallet.messages()).toHaveLength(2)
})

// spec L2.47
test('a wallet that is not installed shows how to get it', async ({ host, page, context }) => {
  await host.openOneLine()
  await begin(page, 'login')
  await toWallets(host)
  await choose(host, 'Rainbow')
  await expect(heading(host, 'Get Rainbow')).toBeVisible()
  await expect(host.dialog.getByRole('listitem')).toHaveText([
    /Install the Rainbow extension/,
    /Create a wallet/,
    /Save the recovery phrase/,
    /Reload this page/,
  ])
  await expectNoViolations(page, 'installing a wallet')
  const [shop] = await Promise.all([
    context.waitForEvent('page'),
    host.dialog.getByRole('link', { name: 'Install Rainbow' }).click(),
  ])
  await shop.close()
})

test.describe('on a phone', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    viewport: { width: 390, height: 844 },
  })

  // spec L2.46
  test('a wallet opens the page in its own browser, or shows how to get it', async ({ host, page }) => {
    await host.openOneLine('?view=1')
    await begin(page, 'login')
    await toWallets(host)
    await choose(host, 'MetaMask')
    await expect(heading(host, 'Continue in MetaMask')).toBeVisible()
    await expectNoViolations(page, 'a wallet on a phone')
    const link = (name: string) => host.dialog.getByRole('link', { name })
    await expect(link('Continue')).toHaveAttribute(
      'href',
      `https://metamask.app.link/dapp/${getDomain(host)}/one-line.html?view=1&latchkey_connector=injected&latchkey_wallet_client=metamask`,
    )
    await expect(link('Go to App Store')).toHaveAttribute('href', 'https://apps.apple.com/app/id1438144202')
  })

  // spec L2.11
  test('a page that a wallet opened continues there automatically', async ({ host, page, wallet }) => {
    await host.openOneLine('?view=1&latchkey_connector=injected&latchkey_wallet_client=metamask')
    await expect(heading(host, 'Successfully connected')).toBeVisible()
    await host.dialogCloses()
    expect(new URL(page.url()).search).toBe('?view=1')
    expect(wallet.messages()).toHaveLength(1)
  })
})

// spec L2.29, L2.56, L2.57
test('a page connects a wallet, for visitors and users, without logging anyone in', async ({
  host,
  page,
  wallet,
}) => {
  await host.openOneLine()
  const connected = await begin(page, 'connectWallet')
  await expect(heading(host, 'Connect a wallet')).toBeVisible()
  await expectNoViolations(page, 'connecting a wallet')
  await choose(host, 'MetaMask')
  await expect(heading(host, 'Successfully connected')).toBeVisible()
  await host.dialogCloses()
  expect(await connected()).toEqual({
    user: {
      type: 'wallet',
      address: wallet.address,
      chainType: 'ethereum',
      chainId: 'eip155:1',
      walletClientType: 'metamask',
      connectorType: 'injected',
    },
  })
  expect(wallet.messages()).toEqual([])
  expect(await page.evaluate(() => latchkey.getUser())).toBeNull()

  await begin(page, 'login')
  await toWallets(host)
  await choose(host, 'MetaMask')
  await host.dialogCloses()
  await begin(page, 'connectWallet')
  await expect(host.dialog.getByText('This does not link it to your account.')).toBeVisible()
})

test('a page connects only the account that it requests', async ({ host, page, wallet, other }) => {
  await host.openOneLine()
  const suggestedAddress = other.address
  const connected = await begin(page, 'connectWallet', { suggestedAddress })
  await expect(host.dialog.getByText(suggestedAddress)).toBeVisible()
  await choose(host, 'MetaMask')
  await expect(heading(host, 'Another account')).toBeVisible()
  await expectNoViolations(page, 'another account')
  await button(host, 'Try again').click()
  await expect(heading(host, 'Another account')).toBeVisible()
  await button(host, 'Back').click()
  await choose(host, 'Cairn')
  await expect(heading(host, 'Successfully connected')).toBeVisible()
  expect((await connected()).user).toMatchObject({ address: suggestedAddress })
  expect(wallet.messages()).toEqual([])
})

// spec L2.15, L2.29
test('a page connects an external wallet or creates an embedded one after a login', async ({
  host,
  page,
  inbox,
  wallet,
}) => {
  await host.openOneLine()
  const connected = await begin(page, 'connectOrCreateWallet')
  await expect(heading(host, 'Connect or create a wallet')).toBeVisible()
  await expectNoViolations(page, 'connecting or creating a wallet')
  await toWallets(host)
  await choose(host, 'MetaMask')
  await host.dialogCloses()
  expect((await connected()).user).toMatchObject({ address: wallet.address, connectorType: 'injected' })
  expect(wallet.messages()).toEqual([])
  expect(await page.evaluate(() => latchkey.getUser())).toBeNull()

  const created = await begin(page, 'connectOrCreateWallet')
  await host.askForCode(inbox.address)
  await page.keyboard.type(await inbox.nextCode())
  await host.dialogCloses()
  expect((await created()).user).toMatchObject({ type: 'wallet', connectorType: 'embedded' })
})

// spec L1.1, L1.4
test('the standalone dialog finds the wallets of its page, and one logs its user in', async ({
  page,
  stack,
  wallet,
}) => {
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
  await page.getByRole('button', { name: 'Continue with a wallet' }).click()
  await page.getByRole('button', { name: /^MetaMask/ }).click()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  const [message] = wallet.messages()
  expect(message).toContain(`${new URL(stack.dialogOrigin).host} wants you to sign in`)
})
