/**
 * How far a passcode is, as a machine: six digits that are typed, checked and typed anew, and the message that brings
 * them, where one is sent.
 */
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import type { EnrolProblem } from '../problem.ts'

/** The field shows this. */
export type Passcode = {
  /** `blocked`: no code is taken any more. */
  status: 'ready' | 'checking' | 'wrong' | 'blocked' | 'done'
  /** The problem of the last code stays until the next. */
  problem: EnrolProblem | undefined
  /** A new number empties the fields. */
  attempt: number
  /** `none`: nothing is sent. `locked`: one was sent so shortly ago that there is no other yet. */
  resend: 'none' | 'available' | 'sending' | 'locked'
  /** Whether a code was sent at all. */
  isSent: boolean
}

/** The field sends these. */
export type PasscodeEvents = {
  edit: readonly []
  submit: readonly [code: string]
  resend: readonly []
}

export type PasscodeState = Omit<Passcode, 'status'> & {
  phase: { at: Passcode['status'] }
  /** Counts the codes that were wrong: the clearing of an earlier one comes too late. */
  refusals: number
}

export type PasscodeEvent =
  /** The user writes over a wrong code. */
  | { type: 'edit' }
  | { type: 'submit'; code: string }
  | { type: 'accepted' }
  /** `isOver`: no other code can be tried. */
  | { type: 'refused'; problem: EnrolProblem; isOver: boolean }
  | { type: 'clear'; refusals: number }
  | { type: 'block'; problem: EnrolProblem }
  | { type: 'send' }
  | { type: 'sent' }
  | { type: 'not sent'; problem: EnrolProblem }
  | { type: 'unlock resend' }

export type PasscodeEffect =
  | { type: 'check'; code: string }
  /** A wrong code stays to be seen for a moment. */
  | { type: 'clear later'; refusals: number }
  | { type: 'send' }
  | { type: 'unlock resend later' }

type Step = Next<PasscodeState, PasscodeEffect>

export const untyped = (resend: 'none' | 'available'): PasscodeState => ({
  phase: { at: 'ready' },
  problem: undefined,
  attempt: 1,
  resend,
  isSent: false,
  refusals: 0,
})

/** What was typed goes, since nothing is done with it any more. */
const block = (state: PasscodeState, { problem }: { problem: EnrolProblem }): Step => [
  { ...state, phase: { at: 'blocked' }, problem, attempt: state.attempt + 1, resend: 'none' },
]

/** The message is sent while a code is typed, or is checked. */
const unblocked = {
  block,
  send: (state: PasscodeState): Step =>
    state.resend === 'available'
      ? [{ ...state, resend: 'sending', problem: undefined }, { type: 'send' }]
      : [state],
  sent: (state: PasscodeState): Step => [
    { ...state, resend: 'locked', isSent: true },
    { type: 'unlock resend later' },
  ],
  'not sent': (state: PasscodeState, { problem }: { problem: EnrolProblem }): Step => [
    { ...state, resend: 'available', problem },
  ],
  'unlock resend': (state: PasscodeState): Step => [
    state.resend === 'locked' ? { ...state, resend: 'available' } : state,
  ],
}

const table: Table<PasscodeState, PasscodeEvent, PasscodeEffect> = {
  ready: {
    ...unblocked,
    submit: (state, { code }) => [
      { ...state, phase: { at: 'checking' }, problem: undefined },
      { type: 'check', code },
    ],
  },
  checking: {
    ...unblocked,
    accepted: (state) => [{ ...state, phase: { at: 'done' } }],
    refused(state, { problem, isOver }) {
      if (isOver) return block(state, { problem })
      const refusals = state.refusals + 1
      return [
        { ...state, phase: { at: 'wrong' }, problem, refusals },
        { type: 'clear later', refusals },
      ]
    },
  },
  wrong: {
    ...unblocked,
    edit: (state) => [{ ...state, phase: { at: 'ready' } }],
    clear: (state, { refusals }) => [
      refusals === state.refusals ? { ...state, phase: { at: 'ready' }, attempt: state.attempt + 1 } : state,
    ],
  },
  blocked: {},
  done: unblocked,
}

export const passcodeStep = stepBy(table)

export const shownPasscode = ({ phase, refusals: _, ...rest }: PasscodeState): Passcode => ({
  ...rest,
  status: phase.at,
})
