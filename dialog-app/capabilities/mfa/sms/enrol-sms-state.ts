/** How far a phone is on its way to verify, as a machine: its number is sent a code, and may be another one after that. */
import { LatchkeyError } from '@latchkey/protocol'
import { stepBy, type Table } from '../../../flow/machine.ts'
import type { PasscodeEntry } from '../passcode/passcode.ts'
import { type EnrolProblem, enrolProblemOf } from '../problem.ts'
import type { PhoneState } from './lazy/phone-screen.tsx'

type Phone = NonNullable<PhoneState['given']>

export type EnrolSmsState = {
  readonly phase: { readonly at: 'ready' } | { readonly at: 'sending'; readonly phoneNumber: string }
  readonly given: Phone | undefined
  readonly problem: EnrolProblem | undefined
  /** The code that is typed now: what belongs to an earlier one comes too late. */
  readonly entry: PasscodeEntry | undefined
}

export type EnrolSmsEvent =
  | { readonly type: 'submit'; readonly value: Phone }
  | { readonly type: 'sent' }
  | { readonly type: 'not sent'; readonly cause: unknown }
  | { readonly type: 'code opened'; readonly entry: PasscodeEntry }

export type EnrolSmsEffect =
  | { readonly type: 'send'; readonly phoneNumber: string }
  | { readonly type: 'open code'; readonly phoneNumber: string }

export const unsent: EnrolSmsState = {
  phase: { at: 'ready' },
  given: undefined,
  problem: undefined,
  entry: undefined,
}

const table: Table<EnrolSmsState, EnrolSmsEvent, EnrolSmsEffect> = {
  ready: {
    submit(state, { value }) {
      if (!value.isValid) return [state]
      const { qualifiedPhoneNumber: phoneNumber } = value
      return [
        { ...state, phase: { at: 'sending', phoneNumber }, given: value, problem: undefined },
        { type: 'send', phoneNumber },
      ]
    },
    'code opened': (state, { entry }) => [{ ...state, entry }],
  },
  sending: {
    sent: (state, _, { phoneNumber }) => [
      { ...state, phase: { at: 'ready' } },
      { type: 'open code', phoneNumber },
    ],
    'not sent': (state, { cause }) => [{ ...state, phase: { at: 'ready' }, problem: problemOf(cause) }],
  },
}

export const enrolSmsStep = stepBy(table)

/** Another tab may have linked the number meanwhile. */
const problemOf = (error: unknown): EnrolProblem =>
  error instanceof LatchkeyError && error.code === 'not_supported' ? 'smsIsLogin' : enrolProblemOf(error)
