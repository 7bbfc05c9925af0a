/** The state of a passcode entry: six digits are typed, checked and typed again. An SMS may carry the code. */
import type { EnrolProblem } from '../problem.ts'

export type Passcode = {
  /** `blocked`: no further code is accepted. */
  status: 'ready' | 'checking' | 'wrong' | 'blocked' | 'done'
  /** The problem of the last code. It stays until the next submission. */
  problem: EnrolProblem | undefined
  /** The fields are emptied when this number changes. */
  attempt: number
  /** `none`: codes are not sent. `locked`: the last message is too recent for another one. */
  resend: 'none' | 'available' | 'sending' | 'locked'
  isSent: boolean
}

export type PasscodeEvent =
  /** The user types over a wrong code. */
  | { type: 'edit' }
  | { type: 'submit' }
  | { type: 'accepted' }
  | { type: 'refused'; problem: EnrolProblem }
  /** Empties the fields after the wrong code was visible for a moment. */
  | { type: 'clear' }
  | { type: 'block'; problem: EnrolProblem }
  | { type: 'send' }
  | { type: 'sent' }
  | { type: 'not sent'; problem: EnrolProblem }
  | { type: 'unlock resend' }

export const emptyPasscode: Passcode = {
  status: 'ready',
  problem: undefined,
  attempt: 1,
  resend: 'none',
  isSent: false,
}

export function passcodeReducer(passcode: Passcode, event: PasscodeEvent): Passcode {
  const { status, attempt, resend } = passcode
  if (status === 'blocked') return passcode
  switch (event.type) {
    case 'edit':
      return status === 'wrong' ? { ...passcode, status: 'ready' } : passcode
    case 'submit':
      return status === 'ready' ? { ...passcode, status: 'checking', problem: undefined } : passcode
    case 'accepted':
      return status === 'checking' ? { ...passcode, status: 'done' } : passcode
    case 'refused':
      return status === 'checking' ? { ...passcode, status: 'wrong', problem: event.problem } : passcode
    case 'clear':
      return status === 'wrong' ? { ...passcode, status: 'ready', attempt: attempt + 1 } : passcode
    case 'block':
      return {
        ...passcode,
        status: 'blocked',
        problem: event.problem,
        attempt: attempt + 1,
        resend: 'none',
      }
    case 'send':
      return resend === 'available' ? { ...passcode, resend: 'sending', problem: undefined } : passcode
    case 'sent':
      return { ...passcode, resend: 'locked', isSent: true }
    case 'not sent':
      return { ...passcode, resend: 'available', problem: event.problem }
    case 'unlock resend':
      return resend === 'locked' ? { ...passcode, resend: 'available' } : passcode
    default:
      return event satisfies never
  }
}
