/** Recovers the wallet share of a browser without one, without input from the user. */
import {
  type AnalyticsEventName,
  type ChainType,
  toLatchkeyError,
  type WalletAccount,
} from '@latchkey/protocol'
import { isRefusal } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { RecoveryFailure } from '../../wallet/recovery-failure.ts'
import type { VerifiedOptions } from '../../wallet/verification.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import type { CallWallet, Remedy, WalletCall, WalletEvent } from '../../wallet/wallet-obstacles.ts'
import { keptOtherwise } from './kept-otherwise.ts'
import { sayTooNew } from './too-new.ts'

type Recovery = {
  event: WalletEvent
  recover: (wallet: Wallet, address: string, asker: VerifiedOptions) => Promise<void>
  started: AnalyticsEventName
  completed: AnalyticsEventName
}

type Card = WalletCall<unknown>['card']

const recoveries: { [Chain in ChainType]: Recovery } = {
  ethereum: {
    event: 'wallet:recover',
    recover: (wallet, ...call) => wallet.recover(...call),
    started: 'embedded_wallet_pinless_recovery_started',
    completed: 'embedded_wallet_recovery_completed',
  },
  solana: {
    event: 'solana-wallet:recover',
    recover: async (wallet, ...call) => (await wallet.solana()).recover(...call),
    started: 'embedded_solana_wallet_pinless_recovery_started',
    completed: 'embedded_solana_wallet_recovery_completed',
  },
}

export function recoverAutomatically(ports: CapabilityPorts): Remedy {
  const { wallet, session, analytics } = ports

  /** Retries the recovery each time the user verifies with an older method. */
  async function recoverOn(card: Card, account: WalletAccount, callWallet: CallWallet): Promise<void> {
    const { event, recover } = recoveries[account.chainType]
    const { signal } = card
    try {
      await callWallet({
        event,
        account,
        card,
        call: (verification) => recover(wallet, account.address, { signal, verification }),
      })
    } catch (error) {
      const refused = toLatchkeyError(error, 'error', '')
      if (refused.code !== 'method_too_new') throw error
      await card.interrupt(sayTooNew(ports, refused, 'recovery'))
      await recoverOn(card, account, callWallet)
    }
  }

  return {
    obstacle: 'wallet_not_on_device',
    helps: ({ account }) =>
      account !== undefined &&
      (account.recoveryMethod === undefined || account.recoveryMethod === 'latchkey'),
    async overcome(call, callWallet) {
      const { account, card } = call
      if (account) {
        const { started, completed } = recoveries[account.chainType]
        analytics(started)
        try {
          await recoverOn(card, account, callWallet)
        } catch (error) {
          const { code } = toLatchkeyError(error, 'error', '')
          if (code !== 'disallowed_recovery_method') throw asFailure(error, card)
          const changed = await keptOtherwise(session, call, account)
          if (!changed) throw asFailure(error, card)
          return callWallet(changed)
        }
        analytics(completed)
      }
      return callWallet(call)
    },
  }
}

/** Returns the error itself if the user ended the recovery, or has to log in again. */
function asFailure(cause: unknown, { signal }: Card): unknown {
  if (signal.aborted || isRefusal(cause)) return cause
  const error = toLatchkeyError(cause, 'error', '')
  const isExplained = verificationProblem(error) !== undefined || error.code === 'device_not_bound'
  return isExplained ? cause : new RecoveryFailure(cause)
}
