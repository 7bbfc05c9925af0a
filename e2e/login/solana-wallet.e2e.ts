/** A login with a Solana wallet of the page. */
import type { HostPage } from '../pages/host-page.ts'
import { beginCall } from '../pages/page-calls.ts'
import { installSolanaWallet } from '../pages/solana-wallet.ts'
import { expect, test } from '../test.ts'

type User = { id: string; linkedAccounts: { type: string; address?: string }[] }
type CallResult = { user?: { user?: User; loginAccount?: object }; code?: string }
const begin = beginCall<CallResult>

test.use({ settings: ['wallet_auth=true', 'solana_wallet_auth=true'] })

async function chooseWallet(host: HostPage, name: string) {
  await host.dialog.getByRole('button', { name: 'Continue with a wallet' }).click()
  await host.dialog.getByRole('button', { name: new RegExp(`^${name}`) }).click()
}

test('a Solana wallet logs its user in by its own text, and one without sign-in by a message', async ({
  host,
  page,
}) => {
  const ray = await installSolanaWallet(page, { name: 'Ray', signIn: true })
  const sol = await installSolanaWallet(page, { name: 'Sol', signIn: false })
  await host.openOneLine()
  const domain = new URL(host.stack.hostOrigin).host

  // A message for another domain does not log in.
  ray.writeDomain('evil.example')
  const loggedIn = await begin(page, 'login')
  await chooseWallet(host, 'Ray')
  await expect(host.dialog.getByRole('heading', { name: 'Could not connect' })).toBeVisible()
  ray.writeDomain(undefined)
  await host.dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(host.dialog.getByRole('heading', { name: 'Successfully connected' })).toBeVisible()
  await host.dialogCloses()
  const { user: first } = await loggedIn()
  expect(first).toMatchObject({
    isNewUser: true,
    loginMethod: 'wallet',
    loginAccount: {
      type: 'wallet',
      address: ray.address,
      chainType: 'solana',
      walletClientType: 'ray',
      connectorType: 'wallet_standard',
    },
  })
  expect(ray.signedTexts().at(-1)).toMatch(
    new RegExp(
      `^${domain} wants you to sign in with your Solana account:\n${ray.address}\n\n.+\n\nURI: https://${domain}\nVersion: 1\nChain ID: solana:mainnet\nNonce: \\w{32}\nIssued At: .+Z$`,
    ),
  )

  await (await begin(page, 'logout'))()
  const again = await begin(page, 'login')
  await chooseWallet(host, 'Sol')
  await host.dialogCloses()
  expect((await again()).user).toMatchObject({ isNewUser: true, loginAccount: { address: sol.address } })
})
