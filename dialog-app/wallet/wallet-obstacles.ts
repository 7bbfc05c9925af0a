/**
 * What may stand between a flow and its wallet, and who gets past it: a device without its share is recovered, a
 * session without a device is logged in again, a second factor is asked for. A capability registers the remedy; the flow makes its call and knows of neither.
 */
import { type ErrorCode, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { isRateLimit, walletContract } from '@latchkey/protocol/wallet'
import type { CardHandle } from '../flow/flow.ts'
import type { Verification } from './verification.ts'

const walletObstacles = [
  'wallet_not_on_device',
  'device_not_bound',
  'missing_or_invalid_mfa',
  'method_too_new',
] as const
export type WalletObstacle = (typeof walletObstacles)[number]

/** A row of the contract with the wallet's frame. */
export type WalletEvent = keyof (typeof walletContract)['child']

export type WalletCall<Answer> = {
  /** Its row says when a second factor is asked for. */
  event: WalletEvent
  /** Missing where the call is about the user, and not about one wallet of theirs. */
  account?: WalletAccount | undefined
  /** A remedy that needs the user interrupts the flow that has this card. */
  card: Pick<CardHandle, 'interrupt' | 'signal'>
  call: (verification: Verification | undefined) => Promise<Answer>
}

export type CallWallet = <Answer>(call: WalletCall<Answer>) => Promise<Answer>

export type Remedy = {
  obstacle: WalletObstacle
  helps: (call: WalletCall<unknown>) => boolean
  /** Whether a call that is verified first is sure to meet the obstacle, so that it is not tried without this remedy. */
  isDue?: () => boolean
  /**
   * Makes the call past the obstacle, as often as it takes. `callWallet` is for calls of the remedy's own and for this
   * one: it knows the remedies that were not tried yet, and in a verification none. `refusal` is the error of the call,
   * undefined if the call was not made yet.
   */
  overcome: <Answer>(
    call: WalletCall<Answer>,
    callWallet: CallWallet,
    refusal: LatchkeyError | undefined,
  ) => Promise<Answer>
}

const isObstacle = (error: unknown): error is LatchkeyError =>
  error instanceof LatchkeyError && walletObstacles.some((each) => each === error.code)

/** A frame says it by its words, whatever the code. */
const asRateLimit = (error: unknown) =>
  error instanceof LatchkeyError && error.code !== 'too_many_requests' && isRateLimit(error.message)
    ? new LatchkeyError('too_many_requests', error.message, { cause: error })
    : error

const isVerifiedFirst = (event: WalletEvent) => walletContract.child[event].verification === 'first'

export function createWalletCalls(remedies: () => Promise<readonly Remedy[]>): CallWallet {
  return async function callWallet(call) {
    if (isVerifiedFirst(call.event)) {
      const known = await remedies()
      const due = known.find((remedy) => remedy.isDue?.() && remedy.helps(call))
      if (due) return overcome(due, known, call, undefined)
    }
    try {
      return await call.call(undefined)
    } catch (error) {
      if (!isObstacle(error)) throw asRateLimit(error)
      const known = await remedies()
      const remedy = remedyOf(error, known, call)
      if (!remedy || call.card.signal.aborted) throw error
      return overcome(remedy, known, call, error)
    }
  }
}

const remedyOf = ({ code }: LatchkeyError, known: readonly Remedy[], call: WalletCall<unknown>) =>
  known.find(({ obstacle, helps }) => obstacle === code && helps(call))

/**
 * Each remedy is tried once; what it did not remove is the caller's to hear of. A verification is another: a wallet that
 * is found away in it is recovered when it is over, for a recovery may want a verification of its own. The call is
 * verified anew then.
 */
async function overcome<Answer>(
  remedy: Remedy,
  known: readonly Remedy[],
  call: WalletCall<Answer>,
  refusal: LatchkeyError | undefined,
): Promise<Answer> {
  if (remedy.obstacle !== 'missing_or_invalid_mfa') {
    return remedy.overcome(call, withoutRemedy(known, remedy), refusal)
  }
  try {
    return await remedy.overcome(call, withNoRemedy, refusal)
  } catch (error) {
    if (!isObstacle(error) || !afterVerification.has(error.code)) throw error
    const next = remedyOf(error, known, call)
    if (!next || call.card.signal.aborted) throw error
    return next.overcome(call, withoutRemedy(known, next), error)
  }
}

/** Obstacles that a verified call may meet. */
const afterVerification: ReadonlySet<ErrorCode> = new Set(['wallet_not_on_device', 'method_too_new'])

const withNoRemedy = createWalletCalls(async () => [])
const withoutRemedy = (known: readonly Remedy[], tried: Remedy): CallWallet =>
  createWalletCalls(async () => known.filter((each) => each !== tried))
