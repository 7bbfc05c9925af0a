/**
 * Obstacles of wallet calls and their remedies: a missing share is recovered, an unbound device logs in again, a
 * second factor is verified. Capabilities register remedies, so a flow makes its call without handling them.
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

/** A call in the wallet frame contract. */
export type WalletEvent = keyof (typeof walletContract)['child']

export type WalletCall<Answer> = {
  /** The contract row that says when the call needs a second factor. */
  event: WalletEvent
  /** Undefined if the call is about the user and not about one wallet. */
  account?: WalletAccount | undefined
  /** A remedy with user interaction interrupts this card's flow. */
  card: Pick<CardHandle, 'interrupt' | 'signal'>
  call: (verification: Verification | undefined) => Promise<Answer>
}

export type CallWallet = <Answer>(call: WalletCall<Answer>) => Promise<Answer>

export type Remedy = {
  obstacle: WalletObstacle
  helps: (call: WalletCall<unknown>) => boolean
  /** Returns whether a verified-first call is sure to meet the obstacle, so that the first attempt is skipped. */
  isDue?: () => boolean
  /**
   * Makes the call past the obstacle. `callWallet` is for the remedy's own calls and for this call; it applies the
   * remedies that were not tried yet, and none during verification. `refusal` is the error of the call, or undefined
   * before the first attempt.
   */
  overcome: <Answer>(
    call: WalletCall<Answer>,
    callWallet: CallWallet,
    refusal: LatchkeyError | undefined,
  ) => Promise<Answer>
}

const isObstacle = (error: unknown): error is LatchkeyError =>
  error instanceof LatchkeyError && walletObstacles.some((each) => each === error.code)

/** The frame reports a rate limit by its message only. */
const toRateLimitError = (error: unknown) =>
  error instanceof LatchkeyError && error.code !== 'too_many_requests' && isRateLimit(error.message)
    ? new LatchkeyError('too_many_requests', error.message, { cause: error })
    : error

const isVerifiedFirst = (event: WalletEvent) => walletContract.child[event].verification === 'first'

export function createWalletCalls(remedies: () => Promise<readonly Remedy[]>): CallWallet {
  return async function callWallet(call) {
    if (isVerifiedFirst(call.event)) {
      const allRemedies = await remedies()
      const due = allRemedies.find((remedy) => remedy.isDue?.() && remedy.helps(call))
      if (due) return overcome(due, allRemedies, call, undefined)
    }
    try {
      return await call.call(undefined)
    } catch (error) {
      if (!isObstacle(error)) throw toRateLimitError(error)
      const allRemedies = await remedies()
      const remedy = findRemedy(error, allRemedies, call)
      if (!remedy || call.card.signal.aborted) throw error
      return overcome(remedy, allRemedies, call, error)
    }
  }
}

const findRemedy = ({ code }: LatchkeyError, known: readonly Remedy[], call: WalletCall<unknown>) =>
  known.find(({ obstacle, helps }) => obstacle === code && helps(call))

/**
 * Applies each remedy once, and rejects with remaining obstacles. During a verification no other remedy runs, because
 * a recovery may need its own verification. A wallet found missing is therefore recovered afterwards, and the call is
 * verified again.
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
    const next = findRemedy(error, known, call)
    if (!next || call.card.signal.aborted) throw error
    return next.overcome(call, withoutRemedy(known, next), error)
  }
}

/** Obstacles that a verified call may still meet. */
const afterVerification: ReadonlySet<ErrorCode> = new Set(['wallet_not_on_device', 'method_too_new'])

const withNoRemedy = createWalletCalls(async () => [])
const withoutRemedy = (known: readonly Remedy[], tried: Remedy): CallWallet =>
  createWalletCalls(async () => known.filter((each) => each !== tried))
