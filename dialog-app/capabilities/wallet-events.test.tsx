/**
 * The analytics events of wallets. Each event of the specification is sent once, by its operation, in the right order.
 * MFA has no event there, and none is sent.
 */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { type Fixture, type FixtureOptions, makeFakeWallet, makeFixture, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, solanaAccount, visitorUser, walletAccount, walletUser } from '../testing/fixtures.ts'
import { type Page, renderDialog, submitEmail } from '../testing/page.tsx'
import { makeExportWindows } from '../testing/wallet-windows/export-windows.ts'
import { makeRecoveryWindows } from '../testing/wallet-windows/recovery-windows.ts'
import type { WalletChannel } from '../wallet/frame.ts'
import type { Wallet } from '../wallet/wallet.ts'

const solanaUser: UserRecord = {
  ...visitorUser,
  linkedAccounts: [...visitorUser.linkedAccounts, solanaAccount],
}
const passwordUser: UserRecord = {
  ...walletUser,
  linkedAccounts: walletUser.linkedAccounts.map((account) =>
    account.type === 'wallet' ? { ...walletAccount, recoveryMethod: 'user-passcode' } : account,
  ),
}
const fails = async () => {
  throw new LatchkeyError('share_mismatch', 'Not the share')
}
const away = new LatchkeyError('wallet_not_on_device', 'No share here')
/** Creates a device without a wallet share until the recovery. */
function newDevice() {
  let isHere = false
  return {
    async connect() {
      if (!isHere) throw away
    },
    async recover() {
      isHere = true
    },
  }
}

/** The recovery windows of the latest fixture, in which the user enters passwords. */
let window = makeRecoveryWindows()
/** The rendered dialog of the latest fixture. */
let page: Page

async function fixtureOf(user: UserRecord, change: FixtureOptions = {}): Promise<Fixture> {
  window = makeRecoveryWindows()
  const fixture = await makeFixture({
    capabilities: window.capabilities,
    ...change,
    answers: {
      me: () => walletUser,
      logout: () => ({ success: true }),
      decideConfirmation: () => ({ state: 'approved' }),
      ...change.answers,
    },
    wallet: { ...window.wallet, ...change.wallet },
  })
  fixture.session.accept(makeAuthAnswer({ user }))
  page = renderDialog(fixture)
  return fixture
}
async function sign(fixture: Fixture) {
  watch(fixture.signMessage({ message: 'Hello' }))
  await settle()
}

async function choosePassword(fixture: Fixture) {
  watch(fixture.more('setWalletRecovery', {}))
  await settle()
  await page.openWalletWindow()
  window.give()
  await settle()
}
const withPasswords: FixtureOptions['app'] & object = {
  embeddedWalletConfig: { userOwnedRecoveryOptions: ['user-passcode'] },
}

/** Creates a fake wallet frame for operations that also use a page on the wallet origin. */
function besidePage(answers: { [name: string]: () => unknown }): Partial<Wallet> {
  const channel = { call: async (name: string) => answers[name]?.() ?? {} } as unknown as WalletChannel
  const operation = { id: 'operation', step: 1 }
  return {
    begin: async () => ({ id: 'operation', publicKey: 'key', channel, nextStep: () => operation }),
    requestToken: async (_operation, purpose, address, { confirmation = null } = {}) => ({
      purpose,
      address,
      confirmation,
      requestedAtMs: 0,
      data: { accessToken: 'token', operation },
    }),
  }
}
const importing = (imports: () => unknown) =>
  besidePage({
    'page:begin': () => ({ publicKey: 'key' }),
    'page:key': () => ({ address: walletAccount.address }),
    'wallet:import': imports,
  })

async function loginWithWallet(create?: () => Promise<string>) {
  const fixture = await makeFixture({
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer(),
      logout: () => ({ success: true }),
      me: () => walletUser,
    },
    config: { embeddedWallets: { createOnLogin: 'all-users' } },
    ...(create && { wallet: { create } }),
  })
  watch(fixture.login())
  await settle()
  const page = await submitEmail(fixture, 'ada@example.org')
  await page.type('Digit 1 of 6', '123456')
  await fixture.clock.advance(900)
  return fixture
}

/** The user actions, and the wallet events that they send. */
const rows: readonly (readonly [what: string, act: () => Promise<Fixture>, told: readonly string[]])[] = [
  [
    'a wallet that a login makes',
    () => loginWithWallet(),
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_completed'],
  ],
  [
    'a wallet that a login could not make',
    () => loginWithWallet(fails),
    [
      'embedded_wallet_creation_started',
      'embedded_wallet_creation_failed',
      'embedded_wallet_creation_failure_logout',
    ],
  ],
  [
    'a wallet that a host could not make',
    async () => {
      const fixture = await fixtureOf(visitorUser, { wallet: { create: fails } })
      await fixture.createWallet().catch(() => {})
      return fixture
    },
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_failed'],
  ],
  [
    'two calls for a wallet at once',
    async () => {
      const fixture = await fixtureOf(visitorUser)
      await Promise.all([fixture.createWallet(), fixture.createWallet()])
      return fixture
    },
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_completed'],
  ],
  [
    'an import',
    async () => {
      const fixture = await fixtureOf(visitorUser, {
        wallet: importing(() => ({ address: walletAccount.address, onDevice: true, user: walletUser })),
      })
      watch(fixture.more('importWallet', {}))
      await settle()
      return fixture
    },
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_completed'],
  ],
  [
    'an import that failed',
    async () => {
      const fixture = await fixtureOf(visitorUser, { wallet: importing(fails) })
      watch(fixture.more('importWallet', {}))
      await settle()
      return fixture
    },
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_failed'],
  ],
  [
    'a message',
    async () => {
      const fixture = await fixtureOf(walletUser)
      await sign(fixture)
      await page.approve()
      await settle()
      return fixture
    },
    ['embedded_wallet_sign_message_started', 'embedded_wallet_sign_message_completed'],
  ],
  [
    'a message that its user refused',
    async () => {
      const fixture = await fixtureOf(walletUser)
      await sign(fixture)
      await fixture.close()
      return fixture
    },
    ['embedded_wallet_sign_message_started'],
  ],
  [
    'typed data',
    async () => {
      const fixture = await fixtureOf(walletUser)
      const typedData = {
        domain: { chainId: 1 },
        primaryType: 'Order',
        types: {
          EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
          Order: [{ name: 'count', type: 'uint256' }],
        },
        message: { count: '5' },
      }
      watch(fixture.more('signTypedData', { data: JSON.stringify(typedData) }))
      await settle()
      await page.approve()
      await settle()
      return fixture
    },
    ['embedded_wallet_sign_typed_data_started', 'embedded_wallet_sign_typed_data_completed'],
  ],
  [
    'a message on a device without a share',
    async () => {
      const fixture = await fixtureOf(walletUser, { wallet: newDevice() })
      await sign(fixture)
      await page.approve()
      await settle()
      return fixture
    },
    [
      'embedded_wallet_sign_message_started',
      'embedded_wallet_pinless_recovery_started',
      'embedded_wallet_recovery_completed',
      'embedded_wallet_sign_message_completed',
    ],
  ],
  [
    'a message on a device without a share of a wallet that has a password',
    async () => {
      const wallet = newDevice()
      const answers = { me: () => passwordUser }
      const fixture = await fixtureOf(passwordUser, { app: withPasswords, wallet, answers })
      await sign(fixture)
      await page.openWalletWindow()
      window.give()
      await settle()
      await page.approve()
      await settle()
      return fixture
    },
    [
      'embedded_wallet_sign_message_started',
      'embedded_wallet_recovery_started',
      'embedded_wallet_recovery_completed',
      'embedded_wallet_sign_message_completed',
    ],
  ],
  [
    'a password that was set',
    async () => {
      const fixture = await fixtureOf(walletUser, { app: withPasswords })
      await choosePassword(fixture)
      return fixture
    },
    ['embedded_wallet_set_recovery_started', 'embedded_wallet_set_recovery_completed'],
  ],
  [
    'a password that could not be set',
    async () => {
      const fixture = await fixtureOf(walletUser, { app: withPasswords, wallet: { setRecovery: fails } })
      await choosePassword(fixture)
      return fixture
    },
    [
      'embedded_wallet_set_recovery_started',
      'embedded_wallet_set_recovery_failed',
      'embedded_wallet_set_password_failed',
    ],
  ],
  [
    'an export',
    async () => {
      const window = makeExportWindows()
      const fixture = await fixtureOf(walletUser, {
        capabilities: window.capabilities,
        answers: { decideConfirmation: () => ({ state: 'approved' }) },
        wallet: { ...besidePage({}), ...window.wallet },
      })
      watch(fixture.more('exportWallet', {}))
      await fixture.clock.advance(1_000)
      await page.openWalletWindow()
      window.come()
      await settle()
      window.approve()
      await page.press('Done')
      return fixture
    },
    ['embedded_wallet_key_export_completed'],
  ],
  [
    'a Solana wallet',
    async () => {
      const fixture = await fixtureOf(visitorUser, { answers: { me: () => solanaUser } })
      await fixture.more('createSolanaWallet', {})
      return fixture
    },
    ['embedded_solana_wallet_creation_started', 'embedded_solana_wallet_creation_completed'],
  ],
  [
    'a Solana wallet that could not be made',
    async () => {
      const { solana } = makeFakeWallet()
      const own = { solana: async () => ({ ...(await solana()), create: fails }) }
      const fixture = await fixtureOf(visitorUser, { wallet: own })
      await fixture.more('createSolanaWallet', {}).catch(() => {})
      return fixture
    },
    ['embedded_solana_wallet_creation_started', 'embedded_solana_wallet_creation_failed'],
  ],
  [
    'a message of a Solana wallet on a device without a share',
    async () => {
      const { solana } = makeFakeWallet()
      const device = newDevice()
      const own = { solana: async () => ({ ...(await solana()), ...device }) }
      const fixture = await fixtureOf(solanaUser, { wallet: own })
      watch(fixture.more('signSolanaMessage', { message: 'Hello' }))
      await settle()
      await page.approve()
      await settle()
      return fixture
    },
    [
      'embedded_wallet_sign_message_started',
      'embedded_solana_wallet_pinless_recovery_started',
      'embedded_solana_wallet_recovery_completed',
      'embedded_wallet_sign_message_completed',
    ],
  ],
]

// spec W4.8
test.each(rows)('sends each event once and in order for %s', async (_what, act, told) => {
  const { events } = await act()
  expect(events.filter((name) => !/^(?:modal_|sdk_)/.test(name))).toEqual(told)
})

test('sends no other wallet events', () => {
  const told = new Set(rows.flatMap(([, , names]) => names))
  expect([...told].sort()).toEqual([
    'embedded_solana_wallet_creation_completed',
    'embedded_solana_wallet_creation_failed',
    'embedded_solana_wallet_creation_started',
    'embedded_solana_wallet_pinless_recovery_started',
    'embedded_solana_wallet_recovery_completed',
    'embedded_wallet_creation_completed',
    'embedded_wallet_creation_failed',
    'embedded_wallet_creation_failure_logout',
    'embedded_wallet_creation_started',
    'embedded_wallet_key_export_completed',
    'embedded_wallet_pinless_recovery_started',
    'embedded_wallet_recovery_completed',
    'embedded_wallet_recovery_started',
    'embedded_wallet_set_password_failed',
    'embedded_wallet_set_recovery_completed',
    'embedded_wallet_set_recovery_failed',
    'embedded_wallet_set_recovery_started',
    'embedded_wallet_sign_message_completed',
    'embedded_wallet_sign_message_started',
    'embedded_wallet_sign_typed_data_completed',
    'embedded_wallet_sign_typed_data_started',
  ])
})
