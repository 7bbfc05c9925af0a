/**
 * Makes the user's wallet available on this device: creates it if the user has none, and recovers it by its
 * recovery method if this device has no share.
 */
import {
  findEmbeddedWallet,
  LatchkeyError,
  product,
  type RecoveryMethod,
  type UserRecord,
} from '@latchkey/protocol'
import { connectWallet, createWallet, recoverWallet } from '../../bridge/wallet-calls.ts'
import { automatic } from '../../recovery/automatic/automatic.ts'
import type { RecoveryInputs, RecoveryMethodPart } from '../../recovery/recovery-method.ts'
import type { StepCall, WalletPorts } from '../../shares/ports.ts'
import type { Show } from '../screen/state.ts'
import { isOver, isUnanswered, type Session } from '../session/session.ts'
import type { Steps } from './steps.ts'

/** Recovers the wallet with the inputs that `give` returns for the vault's step. */
export type Bring = (
  method: RecoveryMethodPart,
  give: (ports: WalletPorts, call: StepCall) => Promise<RecoveryInputs>,
) => Promise<string>

export type UserRecovery = Exclude<RecoveryMethod, typeof product.automaticRecovery>

export type BringPorts = {
  steps: Steps
  session: Pick<Session, 'reload'>
  show: Show
  /** Recovers the wallet with an input of the user. */
  askUser: (recovery: UserRecovery, bring: Bring, signal: AbortSignal) => Promise<string>
}
export type BringWallet = (user: UserRecord, signal: AbortSignal) => Promise<string>

function getWallet(user: UserRecord) {
  const wallet = findEmbeddedWallet(user)
  return wallet && { address: wallet.address, recovery: wallet.recoveryMethod ?? product.automaticRecovery }
}

/** Returns the wallet's address. Throws `user_rejected_request` if the user cancels. */
export const createBringWallet =
  ({ steps, session, show, askUser }: BringPorts): BringWallet =>
  async (user, signal) => {
    let wallet = getWallet(user)
    if (!wallet) {
      show({ status: 'making' })
      const created = await steps.run({ purpose: 'create', address: null, signal }, (ports, call) =>
        createWallet(ports, call, 'ethereum', automatic, {}),
      )
      if (created.onDevice) return created.address
      // Another tab or device created the wallet first.
      wallet = getWallet(await session.reload(signal))
      if (!wallet) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
    }
    const { address, recovery } = wallet
    const bring: Bring = (method, give) => {
      show({ status: 'bringing' })
      return steps.run({ purpose: 'recover', address, signal }, async (ports, call) =>
        recoverWallet(ports, call, address, method, await give(ports, call)),
      )
    }
    try {
      const connected = await connect(address)
      if (connected !== undefined) return connected
      return await (recovery === 'latchkey'
        ? bring(automatic, async () => ({}))
        : askUser(recovery, bring, signal))
    } catch (error) {
      if (signal.aborted || hasOwnText(error)) throw error
      throw new LatchkeyError('unknown_embedded_wallet_error', 'Unable to recover wallet', { cause: error })
    }

    /** Returns undefined if this device has no share of the wallet. */
    async function connect(address: string): Promise<string | undefined> {
      try {
        return await steps.run({ purpose: 'connect', address, signal }, (ports, call) =>
          connectWallet(ports, call, address),
        )
      } catch (error) {
        if (error instanceof LatchkeyError && error.code === 'wallet_not_on_device') return undefined
        throw error
      }
    }
  }

/** Errors that the page explains better than by 'Unable to recover wallet'. */
const explainedCodes: ReadonlySet<string> = new Set([
  'user_rejected_request',
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
  'too_many_requests',
  'session_storage_unavailable',
])
const hasOwnText = (error: unknown) =>
  isUnanswered(error) || isOver(error) || (error instanceof LatchkeyError && explainedCodes.has(error.code))
