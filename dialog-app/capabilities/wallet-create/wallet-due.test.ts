import { expect, test } from 'vitest'
import { makeSettings, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { isWalletDue } from './wallet-due.ts'

const wallets = { embeddedWalletConfig: { createOnLogin: 'all-users' } } as const
const external = {
  ...visitorUser,
  linkedAccounts: walletUser.linkedAccounts.map((account) =>
    account.type === 'wallet' ? { ...account, connectorType: 'injected' } : account,
  ),
}
test.each([
  ['off', visitorUser, false],
  ['all-users', visitorUser, true],
  ['all-users', external, true],
  ['all-users', walletUser, false],
  ['users-without-wallets', visitorUser, true],
  ['users-without-wallets', external, false],
] as const)('%s makes a wallet for those who need one', (createOnLogin, user, due) => {
  expect(isWalletDue(makeSettings({ embeddedWalletConfig: { createOnLogin } }), user)).toBe(due)
})

test('the host decides over the app, and neither means no wallet', () => {
  expect(isWalletDue(makeSettings(wallets, { embeddedWallets: { createOnLogin: 'off' } }), visitorUser)).toBe(
    false,
  )
  expect(isWalletDue(makeSettings(), visitorUser)).toBe(false)
})
