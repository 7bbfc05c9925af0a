/**
 * The answers to one verification, whoever asks for them: a screen, or the host's page. Each makes the call that waits
 * for it; four are tried, and each is waited for at most five minutes.
 */
import { LatchkeyError, mfaLimits, toLatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../../browser/ports.ts'
import type { Verification } from '../../wallet/verification.ts'
import { canceled, isOfVerification, retry, timedOut, tooManyTries } from './problem.ts'

/** The call that waits, with the answer that it waits for. */
export type Perform<Answer> = (verification: Verification) => Promise<Answer>

export type Attempts<Answer> = {
  /** Rejects with why it was not taken. There is an outcome then, unless one more may be tried. */
  readonly submit: (verification: Verification) => Promise<void>
  readonly cancel: () => void
  readonly isOver: () => boolean
  readonly outcome: Promise<Answer>
}

export function createAttempts<Answer>(clock: Clock, perform: Perform<Answer>): Attempts<Answer> {
  const outcome = Promise.withResolvers<Answer>()
  // Whoever asks listens; one that was left before it did is not an error of the page.
  outcome.promise.catch(() => {})
  let status: 'waiting' | 'checking' | 'over' = 'waiting'
  let tried = 0
  let stopWaiting = wait()

  function wait() {
    return clock.after(mfaLimits.codeWaitMs, () => fail(timedOut()))
  }
  function fail(error: LatchkeyError) {
    stopWaiting()
    status = 'over'
    outcome.reject(error)
  }

  async function submit(verification: Verification) {
    if (status !== 'waiting') throw new LatchkeyError('unknown_mfa_error', 'No verification is waited for')
    stopWaiting()
    status = 'checking'
    tried += 1
    try {
      const answer = await perform(verification)
      status = 'over'
      outcome.resolve(answer)
    } catch (cause) {
      throw refuse(toLatchkeyError(cause, 'unknown_mfa_error', 'The verification failed'))
    }
  }

  function refuse(error: LatchkeyError): LatchkeyError {
    if (!isOfVerification(error)) {
      fail(error)
      return error
    }
    const refusal = tried < mfaLimits.triesPerOperation ? retry(error) : tooManyTries(error)
    if (refusal.code === 'mfa_verification_max_attempts_reached') fail(refusal)
    else if (status === 'checking') {
      status = 'waiting'
      stopWaiting = wait()
    }
    return refusal
  }

  return {
    submit,
    cancel: () => status !== 'over' && fail(canceled()),
    isOver: () => status === 'over',
    outcome: outcome.promise,
  }
}
