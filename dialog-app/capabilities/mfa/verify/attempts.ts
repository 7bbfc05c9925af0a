/**
 * A verification takes answers, whether a screen asks for them or the host's page. Each makes the call that waits for it.
 * `attempts-state.ts` decides what comes next; this does it.
 */
import { mfaLimits, toLatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../../../browser/ports.ts'
import { createMachine } from '../../../flow/machine.ts'
import type { Verification } from '../../../wallet/verification.ts'
import {
  type AttemptsEffect,
  type AttemptsEvent,
  type AttemptsState,
  attemptsStep,
  untried,
} from './attempts-state.ts'

/** Makes the call that waits, with the answer that it waits for. */
export type Perform<Answer> = (verification: Verification) => Promise<Answer>

export type Attempts<Answer> = {
  /** Rejects with why it was not taken. There is an outcome then, unless one more may be tried. */
  submit: (verification: Verification) => Promise<void>
  cancel: () => void
  isOver: () => boolean
  outcome: Promise<Answer>
}

export function createAttempts<Answer>(clock: Clock, perform: Perform<Answer>): Attempts<Answer> {
  const outcome = Promise.withResolvers<Answer>()
  // Whoever asks listens; one that was left before it did is not an error of the page.
  outcome.promise.catch(() => {})

  const machine = createMachine<AttemptsState, AttemptsEvent, AttemptsEffect>({
    initial: untried,
    step: attemptsStep,
    // It outlasts the card: whoever submits an answer hears what became of it.
    signal: new AbortController().signal,
    crashed: outcome.reject,
    effects: {
      wait: ({ tried }) =>
        void clock.after(mfaLimits.codeWaitMs, () => machine.send({ type: 'time is up', tried })),
      async check({ attempt }) {
        try {
          outcome.resolve(await perform(attempt.verification))
          return { type: 'taken', attempt }
        } catch (cause) {
          const error = toLatchkeyError(cause, 'unknown_mfa_error', 'The verification failed')
          return { type: 'refused', attempt, error }
        }
      },
      tell: ({ attempt: { told }, refusal }) => (refusal ? told.reject(refusal) : told.resolve()),
      fail: ({ error }) => outcome.reject(error),
    },
  })
  machine.send({ type: 'begin' })

  return {
    submit(verification) {
      const { promise, ...told } = Promise.withResolvers<void>()
      machine.send({ type: 'submit', attempt: { verification, told } })
      return promise
    },
    cancel: () => machine.send({ type: 'cancel' }),
    isOver: () => machine.state().phase.at === 'over',
    outcome: outcome.promise,
  }
}
