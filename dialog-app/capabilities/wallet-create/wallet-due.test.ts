import { describe, expect, test } from 'vitest'
import { makeSettings, solanaAccount, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { isSolanaDue, isWalletDue } from './wallet-create.ts'

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

describe('no wallet is made without asking', () => {
  const due = (app: Parameters<typeof makeSettings>[0], config: Parameters<typeof makeSettings>[1] = {}) =>
    isWalletDue(makeSettings({ ...wallets, ...app }, config), visitorUser)
  const chosen = { createOnLogin: 'all-users', requireUserOwnedRecoveryOnCreate: true } as const

  test('where the user says first how it is kept', () => {
    expect(due({ embeddedWalletConfig: chosen })).toBe(false)
    expect(due({}, { embeddedWallets: chosen })).toBe(false)
    const hostWantsNone = { embeddedWallets: { ...chosen, requireUserOwnedRecoveryOnCreate: false } }
    expect(due({}, hostWantsNone)).toBe(true)
    expect(due({ embeddedWalletConfig: chosen }, hostWantsNone)).toBe(false)
    const password = { createOnLogin: 'all-users', requireUserPasswordOnCreate: true } as const
    expect(due({ embeddedWalletConfig: password })).toBe(false)
  })
})

describe('a Solana wallet', () => {
  const withSolana = { ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, solanaAccount] }
  const withExternal = {
    ...visitorUser,
    linkedAccounts: [{ ...solanaAccount, connectorType: 'solana_adapter' }],
  }
  const withImported = {
    ...walletUser,
    linkedAccounts: walletUser.linkedAccounts.map((account) =>
      account.type === 'wallet' ? { ...account, imported: true } : account,
    ),
  }
  const beside = { solanaBesideEthereum: true }
  const chosen = { embeddedWalletConfig: { requireUserOwnedRecoveryOnCreate: true } }

  // spec W3.2
  test.each([
    ['all-users', {}, visitorUser, true],
    ['all-users', {}, walletUser, false],
    ['all-users', beside, walletUser, true],
    ['all-users', beside, withImported, false],
    ['all-users', beside, withSolana, false],
    ['all-users', {}, withExternal, true],
    ['users-without-wallets', {}, withExternal, false],
    ['users-without-wallets', beside, walletUser, true],
    ['off', beside, walletUser, false],
    // A separate wallet has automatic recovery only.
    ['all-users', chosen, visitorUser, false],
    ['all-users', { ...chosen, ...beside }, walletUser, true],
  ] as const)('with %s in the app %j is due or not', (solana, app, user, isDue) => {
    const config = { embeddedWallets: { createOnLogin: { solana } } }
    expect(isSolanaDue(makeSettings(app, config), user)).toBe(isDue)
  })

  test('is not due without a value of its own', () => {
    const config = { embeddedWallets: { createOnLogin: 'all-users' } } as const
    expect(isSolanaDue(makeSettings(beside, config), walletUser)).toBe(false)
    expect(isSolanaDue(makeSettings(beside), walletUser)).toBe(false)
  })
})
