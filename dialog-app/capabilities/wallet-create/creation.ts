/** Creates the user's wallet, and reads its account from the user afterwards. */
import {
  type ErrorCode,
  findEmbeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type UserRecord,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import type { DialogServices } from '../../app/services.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import { createOnePerUser } from './one-per-user.ts'
import { english, type Texts } from './texts.arb'

/** Creates the wallet. A call by the host has a shorter timeout for the wallet frame. */
export type CreateUserWallet = (asker: 'host' | 'dialog', own?: OwnRecovery) => Promise<WalletAccount>

const readyWaitMs = { host: walletLimits.frameReadyImperativeMs, dialog: walletLimits.frameReadyMs }

export type CreationProblem = keyof Texts['problems']

/** The problem to show for a failure of the wallet frame. Any other failure is `failed`. */
const createProblems: { [code in ErrorCode]?: CreationProblem } = {
  call_timeout: 'timedOut',
  frame_unresponsive: 'noResponse',
  frame_reloaded: 'noResponse',
  channel_closed: 'noResponse',
  invalid_answer: 'noResponse',
}

/** A problem of wallet creation. The host receives it in English, and the card shows it in the user's language. */
export class CreationError extends LatchkeyError {
  readonly problem: CreationProblem

  constructor(problem: CreationProblem, cause?: unknown, code: ErrorCode = 'unknown_embedded_wallet_error') {
    super(code, english.problems[problem], {
      ...(cause !== undefined && { cause, details: { cause: toLatchkeyError(cause, 'error', '').code } }),
    })
    this.problem = problem
  }
}

export const isKeptOtherwise = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'embedded_wallet_recovery_already_exists'

export function createWalletCreation(
  ports: Pick<DialogServices, 'session' | 'wallet' | 'analytics'>,
): CreateUserWallet {
  const { session, wallet, analytics } = ports
  const onePerUser = createOnePerUser<WalletAccount>(session)

  async function create(
    user: UserRecord,
    asker: keyof typeof readyWaitMs,
    own: OwnRecovery | undefined,
    signal: AbortSignal,
  ): Promise<WalletAccount> {
    if (findEmbeddedWallet(user)) {
      throw new CreationError('onlyOne', undefined, 'embedded_wallet_already_exists')
    }
    analytics('embedded_wallet_creation_started')
    try {
      await wallet.create({ readyWaitMs: readyWaitMs[asker], own, signal }).catch(async (error: unknown) => {
        if (isKeptOtherwise(error)) {
          // The wallet exists. With the reloaded user, no recovery choice is due.
          await session.reloadUser().catch(() => {})
          throw error
        }
        throw new CreationError(createProblems[toLatchkeyError(error, 'error', '').code] ?? 'failed', error)
      })
      const account = await findWallet(signal)
      analytics('embedded_wallet_creation_completed')
      return account
    } catch (error) {
      analytics('embedded_wallet_creation_failed', failurePayload(error))
      throw error
    }
  }

  async function findWallet(signal: AbortSignal): Promise<WalletAccount> {
    signal.throwIfAborted()
    const state = session.state()
    // The wallet's response may have updated the session's user.
    const existingWallet = state.status === 'authenticated' ? findEmbeddedWallet(state.user) : undefined
    if (existingWallet) return existingWallet
    let user: UserRecord | null
    try {
      user = await session.reloadUser({ signal })
    } catch (error) {
      throw new CreationError('refreshFailed', error)
    }
    if (!user) throw new CreationError('refreshFailed')
    const account = findEmbeddedWallet(user)
    if (!account) throw new CreationError('walletMissing')
    return account
  }

  return async (asker, own) => {
    const user = (await session.activeToken()) === null ? null : await session.user()
    if (!user) throw new CreationError('noToken', undefined, 'must_be_authenticated')
    return onePerUser(user, (signal) => create(user, asker, own, signal))
  }
}
