/**
 * What is told of a wallet: every event that the specification names for one, each sent by what it is named after, once,
 * in the order in which it happens. Second factors have no event of their own there, and none is sent.
 */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { Noticed } from '../approval/gate.ts'
import { seenFrom, tapped } from '../testing/approval.ts'
import { settle } from '../testing/clock.ts'
import { makeExportWindows } from '../testing/export-windows.ts'
import { makeAuthAnswer, solanaAccount, visitorUser, walletAccount, walletUser } from '../testing/fixtures.ts'
import { makeRecoveryWindows } from '../testing/recovery-windows.ts'
import { makeFakeWallet, makeWorld, type World, type WorldOptions, watch } from '../testing/world.ts'
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
/** A device that has no share until it is recovered. */
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

/** In which passwords are given; each world has its own. */
let window = makeRecoveryWindows()

async function worldOf(user: UserRecord, change: WorldOptions = {}): Promise<World> {
  window = makeRecoveryWindows()
  const world = await makeWorld({
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
  world.session.accept(makeAuthAnswer({ user }))
  return world
}
async function come() {
  for (let turn = 0; turn < 10; turn += 1) await settle()
}
async function approve(world: World, screen: 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN') {
  const noticed: readonly Noticed[] = [...seenFrom(0), ...tapped(710)]
  for (const each of noticed) if (world.screen() === screen) await world.press(screen, 'notice', each)
  await come()
}
async function sign(world: World) {
  watch(world.signMessage({ message: 'Hello' }))
  await come()
}
const request = 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN'

async function choosePassword(world: World) {
  watch(world.more('setWalletRecovery', {}))
  await come()
  await world.press('EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN', 'opened', 'open')
  await come()
  window.give()
  await come()
}
const withPasswords: WorldOptions['app'] & object = {
  embeddedWalletConfig: { userOwnedRecoveryOptions: ['user-passcode'] },
}

/** Of what the frame is asked where a page of the wallet's origin has a part in it. */
function besidePage(answers: { readonly [name: string]: () => unknown }): Partial<Wallet> {
  const channel = { call: async (name: string) => answers[name]?.() ?? {} } as unknown as WalletChannel
  const operation = { id: 'operation', step: 1 }
  return {
    begin: async () => ({ id: 'operation', publicKey: 'key', channel, nextStep: () => operation }),
    tokenFor: async (_operation, purpose, address, { confirmation = null } = {}) => ({
      purpose,
      address,
      confirmation,
      askedAtMs: 0,
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
  const world = await makeWorld({
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer(),
      logout: () => ({ success: true }),
      me: () => walletUser,
    },
    config: { embeddedWallets: { createOnLogin: 'all-users' } },
    ...(create && { wallet: { create } }),
  })
  watch(world.login())
  await settle()
  await world.enter(0, 'submit', 'ada@example.org')
  await world.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
  await world.clock.advance(900)
  return world
}

/** What a user does, and what is told of their wallet because of it. */
const rows: readonly (readonly [what: string, act: () => Promise<World>, told: readonly string[]])[] = [
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
      const world = await worldOf(visitorUser, { wallet: { create: fails } })
      await world.createWallet().catch(() => {})
      return world
    },
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_failed'],
  ],
  [
    'two calls for a wallet at once',
    async () => {
      const world = await worldOf(visitorUser)
      await Promise.all([world.createWallet(), world.createWallet()])
      return world
    },
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_completed'],
  ],
  [
    'an import',
    async () => {
      const world = await worldOf(visitorUser, {
        wallet: importing(() => ({ address: walletAccount.address, onDevice: true, user: walletUser })),
      })
      watch(world.more('importWallet', {}))
      await come()
      return world
    },
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_completed'],
  ],
  [
    'an import that failed',
    async () => {
      const world = await worldOf(visitorUser, { wallet: importing(fails) })
      watch(world.more('importWallet', {}))
      await come()
      return world
    },
    ['embedded_wallet_creation_started', 'embedded_wallet_creation_failed'],
  ],
  [
    'a message',
    async () => {
      const world = await worldOf(walletUser)
      await sign(world)
      await approve(world, request)
      return world
    },
    ['embedded_wallet_sign_message_started', 'embedded_wallet_sign_message_completed'],
  ],
  [
    'a message that its user refused',
    async () => {
      const world = await worldOf(walletUser)
      await sign(world)
      await world.close()
      return world
    },
    ['embedded_wallet_sign_message_started'],
  ],
  [
    'typed data',
    async () => {
      const world = await worldOf(walletUser)
      const typedData = {
        domain: { chainId: 1 },
        primaryType: 'Order',
        types: {
          EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
          Order: [{ name: 'count', type: 'uint256' }],
        },
        message: { count: '5' },
      }
      watch(world.more('signTypedData', { data: JSON.stringify(typedData) }))
      await come()
      await approve(world, request)
      return world
    },
    ['embedded_wallet_sign_typed_data_started', 'embedded_wallet_sign_typed_data_completed'],
  ],
  [
    'a message on a device without a share',
    async () => {
      const world = await worldOf(walletUser, { wallet: newDevice() })
      await sign(world)
      await approve(world, request)
      return world
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
      const world = await worldOf(passwordUser, { app: withPasswords, wallet, answers })
      await sign(world)
      await world.press('EMBEDDED_WALLET_PASSWORD_RECOVERY_SCREEN', 'opened', 'open')
      await come()
      window.give()
      await come()
      await approve(world, request)
      return world
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
      const world = await worldOf(walletUser, { app: withPasswords })
      await choosePassword(world)
      return world
    },
    ['embedded_wallet_set_recovery_started', 'embedded_wallet_set_recovery_completed'],
  ],
  [
    'a password that could not be set',
    async () => {
      const world = await worldOf(walletUser, { app: withPasswords, wallet: { setRecovery: fails } })
      await choosePassword(world)
      return world
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
      const world = await worldOf(walletUser, {
        capabilities: window.capabilities,
        answers: { decideConfirmation: () => ({ state: 'approved' }) },
        wallet: { ...besidePage({}), ...window.wallet },
      })
      watch(world.more('exportWallet', {}))
      await come()
      await world.clock.advance(1_000)
      await come()
      await world.press('EMBEDDED_WALLET_KEY_EXPORT_SCREEN', 'opened', 'open')
      await come()
      window.come()
      await come()
      window.approve()
      await come()
      await come()
      await world.press('EMBEDDED_WALLET_KEY_EXPORT_SCREEN', 'leave')
      return world
    },
    ['embedded_wallet_key_export_completed'],
  ],
  [
    'a Solana wallet',
    async () => {
      const world = await worldOf(visitorUser, { answers: { me: () => solanaUser } })
      await world.more('createSolanaWallet', {})
      return world
    },
    ['embedded_solana_wallet_creation_started', 'embedded_solana_wallet_creation_completed'],
  ],
  [
    'a Solana wallet that could not be made',
    async () => {
      const { solana } = makeFakeWallet()
      const own = { solana: async () => ({ ...(await solana()), create: fails }) }
      const world = await worldOf(visitorUser, { wallet: own })
      await world.more('createSolanaWallet', {}).catch(() => {})
      return world
    },
    ['embedded_solana_wallet_creation_started', 'embedded_solana_wallet_creation_failed'],
  ],
  [
    'a message of a Solana wallet on a device without a share',
    async () => {
      const { solana } = makeFakeWallet()
      const device = newDevice()
      const own = { solana: async () => ({ ...(await solana()), ...device }) }
      const world = await worldOf(solanaUser, { wallet: own })
      watch(world.more('signSolanaMessage', { message: 'Hello' }))
      await come()
      await approve(world, request)
      return world
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
test.each(rows)('%s is told by its events, each once and in order', async (_what, act, told) => {
  const { events } = await act()
  expect(events.filter((name) => !/^(?:modal_|sdk_)/.test(name))).toEqual(told)
})

test('every event of a wallet is one of those', () => {
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
