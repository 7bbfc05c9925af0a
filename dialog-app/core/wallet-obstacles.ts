/**
 * What may stand between a flow and its wallet, and who removes it: a device without its share is recovered, a
 * missing second factor is asked for. A capability registers the remedy; the flow makes its call and knows of
 * neither.
 */
import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import type { Verification } from '../wallet/verification.ts'
import type { CardHandle } from './flow.ts'

export const walletObstacles = ['wallet_not_on_device', 'missing_or_invalid_mfa'] as const
export type WalletObstacle = (typeof walletObstacles)[number]

export type WalletCall<Answer> = {
  readonly account: WalletAccount
  /** A remedy that needs the user interrupts the flow that has this card. */
  readonly card: Pick<CardHandle, 'interrupt' | 'signal'>
  readonly call: (verification: Verification | undefined) => Promise<Answer>
}

export type CallWallet = <Answer>(call: WalletCall<Answer>) => Promise<Answer>

export type Remedy = {
  readonly obstacle: WalletObstacle
  readonly helps: (account: WalletAccount) => boolean
  /** `callWallet` is for calls of the remedy's own, which may meet the other obstacle. */
  readonly remove: (
    call: Pick<WalletCall<unknown>, 'account' | 'card'>,
    callWallet: CallWallet,
  ) => Promise<Verification | undefined>
}

const isObstacle = (code: string): code is WalletObstacle => walletObstacles.some((each) => each === code)

export function createWalletCalls(remedies: readonly Remedy[]): CallWallet {
  return function callWallet(call) {
    return attempt(remedies, undefined)

    /** Each remedy is tried once; what it did not remove is the caller's to hear of. */
    async function attempt(
      left: readonly Remedy[],
      verification: Verification | undefined,
    ): Promise<Awaited<ReturnType<typeof call.call>>> {
      try {
        return await call.call(verification)
      } catch (error) {
        const remedy = findRemedy(left, call.account, error)
        if (!remedy || call.card.signal.aborted) throw error
        const others = left.filter((each) => each !== remedy)
        const given = await remedy.remove(call, createWalletCalls(others))
        return attempt(others, given ?? verification)
      }
    }
  }
}

function findRemedy(remedies: readonly Remedy[], account: WalletAccount, error: unknown): Remedy | undefined {
  if (!(error instanceof LatchkeyError) || !isObstacle(error.code)) return undefined
  return remedies.find(({ obstacle, helps }) => obstacle === error.code && helps(account))
}
