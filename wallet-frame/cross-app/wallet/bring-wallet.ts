/**
 * The wallet of the user is on this device: made where they have none, and brought back where this device has no share of
 * it, by whatever they chose for that.
 */
import {
  embeddedWallet,
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
import type { Session } from '../session/session.ts'
import type { Steps } from './steps.ts'

/** Brings the wallet by what `give` has for the step of its vault. */
export type Bring = (
  method: RecoveryMethodPart,
  give: (ports: WalletPorts, call: StepCall) => Promise<RecoveryInputs>,
) => Promise<string>

export type UserRecovery = Exclude<RecoveryMethod, typeof product.automaticRecovery>

export type BringPorts = {
  readonly steps: Steps
  readonly session: Pick<Session, 'reload'>
  readonly show: Show
  /** Asks the user for what keeps their wallet. */
  readonly askUser: (recovery: UserRecovery, bring: Bring, signal: AbortSignal) => Promise<string>
}
export type BringWallet = (user: UserRecord, signal: AbortSignal) => Promise<string>

function walletOf(user: UserRecord) {
  const wallet = embeddedWallet(user)
  return wallet && { address: wallet.address, recovery: wallet.recoveryMethod ?? product.automaticRecovery }
}

/** Answers its address. Throws `user_rejected_request` where its user does not want to. */
export const createBringWallet =
  ({ steps, session, show, askUser }: BringPorts): BringWallet =>
  async (user, signal) => {
    let wallet = walletOf(user)
    if (!wallet) {
      show({ status: 'making' })
      const created = await steps.run({ purpose: 'create', address: null, signal }, (ports, call) =>
        createWallet(ports, call, 'ethereum', automatic, {}),
      )
      if (created.onDevice) return created.address
      // Another tab or device was quicker.
      wallet = walletOf(await session.reload(signal))
      if (!wallet) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
    }
    const { address, recovery } = wallet
    try {
      return await steps.run({ purpose: 'connect', address, signal }, (ports, call) =>
        connectWallet(ports, call, address),
      )
    } catch (error) {
      if (!(error instanceof LatchkeyError) || error.code !== 'wallet_not_on_device') throw error
    }
    const bring: Bring = (method, give) => {
      show({ status: 'bringing' })
      return steps.run({ purpose: 'recover', address, signal }, async (ports, call) =>
        recoverWallet(ports, call, address, method, await give(ports, call)),
      )
    }
    return recovery === 'latchkey' ? bring(automatic, async () => ({})) : askUser(recovery, bring, signal)
  }
