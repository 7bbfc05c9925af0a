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

const isObstacle = (error: unknown): error is LatchkeyError =>
  error instanceof LatchkeyError && walletObstacles.some((each) => each === error.code)

export function createWalletCalls(remedies: () => Promise<readonly Remedy[]>): CallWallet {
  return function callWallet(call) {
    return attempt(remedies, undefined)

    /** Each remedy is tried once; what it did not remove is the caller's to hear of. */
    async function attempt(
      left: () => Promise<readonly Remedy[]>,
      verification: Verification | undefined,
    ): Promise<Awaited<ReturnType<typeof call.call>>> {
      try {
        return await call.call(verification)
      } catch (error) {
        if (!isObstacle(error)) throw error
        const known = await left()
        const remedy = known.find(({ obstacle, helps }) => obstacle === error.code && helps(call.account))
        if (!remedy || call.card.signal.aborted) throw error
        const others = async () => known.filter((each) => each !== remedy)
        const given = await remedy.remove(call, createWalletCalls(others))
        return attempt(others, given ?? verification)
      }
    }
  }
}
