/**
 * How far a verification is, as a machine: one method at a time asks for an answer, until one was taken or no other is.
 * What belongs to an earlier method comes too late.
 */
import type { LatchkeyError, MfaMethodType } from '@latchkey/protocol'
import { type Ending, failed } from '../../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import type { Verification } from '../../../wallet/verification.ts'
import type { PasscodeEntry } from '../passcode/passcode.ts'
import type { Passcode } from '../passcode/passcode-state.ts'
import { type MfaProblem, problemOf } from '../problem.ts'

type OfEntry = { entry: PasscodeEntry }
/** Each time that a passkey is asked for is one; it is aborted when nobody wants its answer any more. */
type OfAsking = { asking: AbortController }

export type VerificationPhase =
  | { at: 'beginning' }
  | ({
      at: 'code'
      method: 'totp' | 'sms'
      passcode: Passcode
      /** The last code went to this number, which is masked. */
      sentTo: string | undefined
    } & OfEntry)
  /** The device shows its own prompt. */
  | ({ at: 'asking passkey' } & OfAsking)
  | ({ at: 'checking passkey' } & OfAsking)
  /** `isOver`: no other answer is taken. */
  | ({
      at: 'passkey failed'
      problem: PasskeyProblem
      isOver: boolean
    } & OfAsking)

/** `notGiven`: the user dismissed the prompt of their device. `noPasskey`: the device gave no answer for another reason. */
export type NoPasskey = 'notGiven' | 'noPasskey'
export type PasskeyProblem = MfaProblem | NoPasskey

export type VerificationState = { phase: VerificationPhase }

export type VerificationEvent =
  /** The first method, or another one. */
  | { type: 'choose'; method: MfaMethodType }
  | ({
      type: 'code opened'
      method: 'totp' | 'sms'
      passcode: Passcode
    } & OfEntry)
  | ({ type: 'passcode changed'; passcode: Passcode } & OfEntry)
  | ({ type: 'code sent'; sentTo: string | undefined } & OfEntry)
  | ({ type: 'passkey answered'; verification: Verification } & OfAsking)
  | ({ type: 'no passkey'; problem: NoPasskey | 'other' } & OfAsking)
  | ({
      type: 'passkey refused'
      problem: MfaProblem
      isOver: boolean
    } & OfAsking)
  | { type: 'ask again' }
  /** No answer is taken any more. */
  | { type: 'over'; error: LatchkeyError }

export type VerificationEffect =
  | { type: 'open code'; method: 'totp' | 'sms' }
  | ({ type: 'send code' } & OfEntry)
  | ({ type: 'block code'; problem: MfaProblem } & OfEntry)
  | ({ type: 'ask for passkey' } & OfAsking)
  | ({ type: 'check passkey'; verification: Verification } & OfAsking)
  | ({ type: 'abandon passkey' } & OfAsking)
  | { type: 'show first' }
  | { type: 'show next' }
  /** The choice has no place for a problem, so the user is led back to the method. */
  | { type: 'leave choice' }
  /** Its caller hears; the screen stays. */
  | { type: 'settle'; ending: Ending<never> }
  | { type: 'end'; ending: Ending<never> }

type Step = Next<VerificationState, VerificationEffect>

export const unverified: VerificationState = { phase: { at: 'beginning' } }

const shown = (state: VerificationState): VerificationEffect => ({
  type: state.phase.at === 'beginning' ? 'show first' : 'show next',
})

function choose(state: VerificationState, { method }: { method: MfaMethodType }): Step {
  if (method !== 'passkey') return [state, { type: 'open code', method }]
  const [next, ask] = askForPasskey()
  return [next, shown(state), ask]
}
function askForPasskey(): [VerificationState, VerificationEffect] {
  const asking = new AbortController()
  return [{ phase: { at: 'asking passkey', asking } }, { type: 'ask for passkey', asking }]
}
function openCode(
  state: VerificationState,
  { method, entry, passcode }: Extract<VerificationEvent, { type: 'code opened' }>,
): Step {
  const next: VerificationState = { phase: { at: 'code', method, entry, passcode, sentTo: undefined } }
  return method === 'sms' ? [next, shown(state), { type: 'send code', entry }] : [next, shown(state)]
}

const failPasskey = ({ asking }: OfAsking, problem: PasskeyProblem, isOver: boolean): VerificationState => ({
  phase: { at: 'passkey failed', asking, problem, isOver },
})

/** What the wait for an answer ends with stays to be read; anything else is the caller's alone to hear. */
function over(state: VerificationState, error: LatchkeyError, said: (problem: MfaProblem) => Step): Step {
  const problem = problemOf(error)
  const ending = failed(error)
  if (problem !== 'maxAttempts' && problem !== 'timeLimit') return [state, { type: 'end', ending }]
  const [next, ...effects] = said(problem)
  return [next, { type: 'settle', ending }, { type: 'leave choice' }, ...effects]
}

/** A passkey was asked for, and is given up for another method, or because no answer is taken any more. */
const withPasskey = {
  'code opened': openCode,
  choose(state: VerificationState, event: { method: MfaMethodType }, { asking }: OfAsking): Step {
    const [next, ...effects] = choose(state, event)
    return [next, { type: 'abandon passkey', asking }, ...effects]
  },
  over: (state: VerificationState, { error }: { error: LatchkeyError }, phase: OfAsking): Step =>
    over(state, error, (problem) => [
      failPasskey(phase, problem, true),
      { type: 'abandon passkey', asking: phase.asking },
    ]),
}

const table: Table<VerificationState, VerificationEvent, VerificationEffect> = {
  beginning: {
    'code opened': openCode,
    choose,
    over: (state, { error }) => over(state, error, () => [state]),
  },
  code: {
    'code opened': openCode,
    choose,
    'passcode changed': (state, { entry, passcode }, phase) => [
      entry === phase.entry ? { phase: { ...phase, passcode } } : state,
    ],
    'code sent': (state, { entry, sentTo }, phase) => [
      entry === phase.entry ? { phase: { ...phase, sentTo } } : state,
    ],
    over: (state, { error }, { entry }) =>
      over(state, error, (problem) => [state, { type: 'block code', entry, problem }]),
  },
  'asking passkey': {
    ...withPasskey,
    'passkey answered': (state, { asking, verification }, phase) =>
      asking === phase.asking
        ? [{ phase: { at: 'checking passkey', asking } }, { type: 'check passkey', asking, verification }]
        : [state],
    'no passkey': (state, { asking, problem }, phase) => [
      asking === phase.asking ? failPasskey(phase, problem, false) : state,
    ],
  },
  'checking passkey': {
    ...withPasskey,
    'passkey refused': (state, { asking, problem, isOver }, phase) => [
      asking === phase.asking ? failPasskey(phase, problem, isOver) : state,
    ],
  },
  'passkey failed': {
    ...withPasskey,
    'ask again': (state, _, { isOver }) => (isOver ? [state] : askForPasskey()),
  },
}

export const verificationStep = stepBy(table)
