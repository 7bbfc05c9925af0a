/**
 * Accepts the answers to one verification, from a screen or from the host page. Each answer makes the pending call. Four
 * are tried, one after the other, and each may take five minutes.
 */
import { LatchkeyError, mfaLimits, toLatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../../../browser/ports.ts'
import type { Verification } from '../../../wallet/verification.ts'
import { canceled, isOfVerification, retry, timedOut, tooManyTries } from '../problem.ts'

/** Makes the pending call with an answer. */
export type Perform<Answer> = (verification: Verification) => Promise<Answer>

export type Attempts<Answer> = {
  /** Rejects if the answer is not accepted. The verification is over then, unless another answer may be tried. */
  submit: (verification: Verification) => Promise<void>
  cancel: () => void
  isOver: () => boolean
  outcome: Promise<Answer>
}

export function createAttempts<Answer>(clock: Clock, perform: Perform<Answer>): Attempts<Answer> {
  const outcome = Promise.withResolvers<Answer>()
  // A caller may have left before it listened.
  outcome.promise.catch(() => {})
  let status: 'waiting' | 'checking' | 'over' = 'waiting'
  let tries = 0
  let stopWaiting = wait()

  function wait() {
    return clock.after(mfaLimits.codeWaitMs, () => fail(timedOut()))
  }

  function fail(error: LatchkeyError) {
    if (status === 'over') return
    status = 'over'
    stopWaiting()
    outcome.reject(error)
  }

  function refuse(refusal: LatchkeyError) {
    if (isFinal(refusal)) return fail(refusal)
    status = 'waiting'
    stopWaiting = wait()
  }

  return {
    async submit(verification) {
      if (status !== 'waiting') {
        throw new LatchkeyError('unknown_mfa_error', 'No verification is waited for')
      }
      stopWaiting()
      status = 'checking'
      tries += 1
      try {
        outcome.resolve(await perform(verification))
        status = 'over'
      } catch (cause) {
        const error = toLatchkeyError(cause, 'unknown_mfa_error', 'The verification failed')
        const refusal = toRefusal(error, tries)
        if (isChecking()) refuse(refusal)
        throw refusal
      }
    },
    cancel: () => fail(canceled()),
    isOver: () => status === 'over',
    outcome: outcome.promise,
  }

  /** False if the verification was canceled meanwhile. */
  function isChecking() {
    return status === 'checking'
  }
}

/** Returns the error for the sender of an answer. */
function toRefusal(error: LatchkeyError, tries: number): LatchkeyError {
  if (!isOfVerification(error)) return error
  return tries < mfaLimits.triesPerOperation ? retry(error) : tooManyTries(error)
}

const isFinal = (refusal: LatchkeyError): boolean =>
  !isOfVerification(refusal) || refusal.code === 'mfa_verification_max_attempts_reached'
