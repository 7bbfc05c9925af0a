/** Rendered dialogs of users with wallets that recover in windows of the wallet. */
import {
  type AppConfig,
  LatchkeyError,
  type userOwnedRecoveryOptions,
  type WalletAccount,
} from '@latchkey/protocol'
import type { Wallet } from '../../wallet/wallet.ts'
import { settle } from '../clock.ts'
import { type FixtureOptions, makeFixture, watch } from '../fixture.ts'
import { makeAuthAnswer, walletAccount, walletUser } from '../fixtures.ts'
import { renderDialog, submitEmail } from '../page.tsx'
import { capabilitiesIn, makeRecoveryWindows } from './recovery-windows.ts'

type User = typeof walletUser
type RecoveryMethod = (typeof userOwnedRecoveryOptions)[number]
type RecoverOptions = Parameters<Wallet['recover']>[1]

export const makeUserWithRecovery = (recoveryMethod: RecoveryMethod): User => ({
  ...walletUser,
  linkedAccounts: walletUser.linkedAccounts.map((account) =>
    account.type === 'wallet' ? ({ ...walletAccount, recoveryMethod } satisfies WalletAccount) : account,
  ),
})

export const makeRecoveryApp = (
  methods: RecoveryMethod[],
  more: AppConfig['embeddedWalletConfig'] = {},
): Pick<AppConfig, 'embeddedWalletConfig'> => ({
  embeddedWalletConfig: { userOwnedRecoveryOptions: methods, ...more },
})

export type RecoveryOptions = Pick<FixtureOptions, 'wallet' | 'app' | 'answers'> & {
  user?: User
  /** The user that the server returns after the login. */
  later?: User
  /** Whether passkeys of the browser can encrypt. */
  hasPrf?: boolean
}

/** Renders the dialog, and logs in by e-mail. */
export async function openRecovery({
  user = walletUser,
  later = user,
  wallet,
  app,
  answers,
  hasPrf = true,
}: RecoveryOptions) {
  const window = makeRecoveryWindows()
  const fixture = await makeFixture({
    ...(app && { app }),
    wallet: { ...window.wallet, ...wallet },
    capabilities: capabilitiesIn({ userAgent: window.userAgent, hasPrf: async () => hasPrf }),
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer({ user }),
      me: () => later,
      decideConfirmation: () => ({ state: 'approved' }),
      ...answers,
    },
  })
  const page = renderDialog(fixture)
  const login = watch(fixture.login())
  await settle()
  await submitEmail(fixture, 'ada@example.org')
  await page.type('Digit 1 of 6', '123456')
  return {
    fixture,
    window,
    page,
    login,
    /** Enters the input in the window of the wallet, and lets the dialog use it. */
    async give(...input: Parameters<typeof window.give>) {
      window.give(...input)
      await settle()
    },
  }
}

/** Logs in, and calls `setWalletRecovery`. */
export async function openSetRecovery(options: RecoveryOptions) {
  const opened = await openRecovery(options)
  await opened.fixture.clock.advance(10_000)
  opened.fixture.events.length = 0
  const set = watch(opened.fixture.more('setWalletRecovery', {}))
  await settle()
  return { ...opened, set }
}

/** Logs in on a device without a share of the wallet, and requests a signature. `recover` brings the share. */
export async function openSigningWithoutShare(
  options: RecoveryOptions,
  recover: (options: RecoverOptions) => void,
) {
  let hasShare = false
  const opened = await openRecovery({
    ...options,
    wallet: {
      async connect() {
        if (!hasShare) throw new LatchkeyError('wallet_not_on_device', 'Not here')
      },
      async recover(_address, recoverOptions) {
        recover(recoverOptions)
        hasShare = true
      },
    },
  })
  await opened.fixture.clock.advance(10_000)
  const signed = watch(opened.fixture.signMessage({ message: 'hello' }))
  await settle()
  return { ...opened, signed }
}
