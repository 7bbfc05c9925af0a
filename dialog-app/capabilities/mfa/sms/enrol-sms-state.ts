/** How far a phone is on its way to verify, as a machine: its number is sent a code, and may be another one after that. */
import { LatchkeyError } from '@latchkey/protocol'
import { stepBy, type Table } from '../../../flow/machine.ts'
import type { PasscodeEntry } from '../passcode/passcode.ts'
import { type EnrolProblem, enrolProblemOf } from '../problem.ts'
import type { PhoneState } from './lazy/phone-screen.tsx'

type Phone = NonNullable<PhoneState['given']>

export type EnrolSmsState = {
  phase: { at: 'ready' } | { at: 'sending'; phoneNumber: string }
  given: Phone | undefined
  problem: EnrolProblem | undefined
  /** The code that is typed now: what belongs to an earlier one comes too late. */
  entry: PasscodeEntry | undefined
}

export type EnrolSmsEvent =
  | { type: 'submit'; value: Phone }
  | { type: 'sent' }
  | { type: 'not sent'; cause: unknown }
  | { type: 'code opened'; entry: PasscodeEntry }

export type EnrolSmsEffect =
  | { type: 'send'; phoneNumber: string }
  | { type: 'open code'; phoneNumber: string }

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
