/**
 * How far the answers to one verification are, as a machine: four are tried, one after the other, and each is waited for
 * at most five minutes.
 */
import { LatchkeyError, mfaLimits } from '@latchkey/protocol'
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import type { Verification } from '../../../wallet/verification.ts'
import { canceled, isOfVerification, retry, timedOut, tooManyTries } from '../problem.ts'

/** An answer comes with whoever wants to hear whether it was taken. */
export type Attempt = {
  verification: Verification
  told: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>
}

export type AttemptsState = {
  phase: { at: 'waiting' } | { at: 'checking' } | { at: 'over' }
  tried: number
}

type OfAttempt = { attempt: Attempt }
export type AttemptsEvent =
  | { type: 'begin' }
  | ({ type: 'submit' } & OfAttempt)
  | ({ type: 'taken' } & OfAttempt)
  | ({ type: 'refused'; error: LatchkeyError } & OfAttempt)
  /** `tried`: how many answers had come when the wait began. */
  | { type: 'time is up'; tried: number }
  | { type: 'cancel' }

export type AttemptsEffect =
  | { type: 'wait'; tried: number }
  | ({ type: 'check' } & OfAttempt)
  | ({ type: 'tell'; refusal?: LatchkeyError } & OfAttempt)
  /** No answer is taken any more. */
  | { type: 'fail'; error: LatchkeyError }

type Step = Next<AttemptsState, AttemptsEffect>

export const untried: AttemptsState = { phase: { at: 'waiting' }, tried: 0 }

const fail = (state: AttemptsState, error: LatchkeyError): Step => [
  { ...state, phase: { at: 'over' } },
  { type: 'fail', error },
]
const cancel = (state: AttemptsState): Step => fail(state, canceled())

const notWaiting = (state: AttemptsState, { attempt }: OfAttempt): Step => [
  state,
  {
    type: 'tell',
    attempt,
    refusal: new LatchkeyError('unknown_mfa_error', 'No verification is waited for'),
  },
]

/** Whoever brought an answer that was not taken hears this. */
function refusalOf({ tried }: AttemptsState, error: LatchkeyError): LatchkeyError {
  if (!isOfVerification(error)) return error
  return tried < mfaLimits.triesPerOperation ? retry(error) : tooManyTries(error)
}
const isFinal = (refusal: LatchkeyError): boolean =>
  !isOfVerification(refusal) || refusal.code === 'mfa_verification_max_attempts_reached'

const table: Table<AttemptsState, AttemptsEvent, AttemptsEffect> = {
  waiting: {
    begin: (state) => [state, { type: 'wait', tried: state.tried }],
    submit: (state, { attempt }) => [
      { phase: { at: 'checking' }, tried: state.tried + 1 },
      { type: 'check', attempt },
    ],
    'time is up': (state, { tried }) => (tried === state.tried ? fail(state, timedOut()) : [state]),
    cancel,
  },
  checking: {
    submit: notWaiting,
    taken: (state, { attempt }) => [
      { ...state, phase: { at: 'over' } },
      { type: 'tell', attempt },
    ],
    refused(state, { attempt, error }) {
      const refusal = refusalOf(state, error)
      const tell = { type: 'tell', attempt, refusal } as const
      if (isFinal(refusal)) return [...fail(state, refusal), tell]
      return [{ ...state, phase: { at: 'waiting' } }, { type: 'wait', tried: state.tried }, tell]
    },
    cancel,
  },
  // What was under way when it was canceled is told all the same.
  over: {
    submit: notWaiting,
    taken: (state, { attempt }) => [state, { type: 'tell', attempt }],
    refused: (state, { attempt, error }) => [
      state,
      { type: 'tell', attempt, refusal: refusalOf(state, error) },
    ],
  },
}

export const attemptsStep = stepBy(table)
