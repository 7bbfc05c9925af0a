/** The state of a one-time code, for e-mail and SMS. */

import type { CodeProblem } from './refused-code.ts'

export type OtpStatus =
  | 'initial'
  | 'sending-code'
  | 'awaiting-code-input'
  | 'submitting-code'
  | 'done'
  | 'error'

export type CodeState = {
  status: OtpStatus
  /** The e-mail address or phone number that the code was sent to. */
  address: string
  sentBy: 'mail' | 'message'
  /** The error of the last try. It stays until the next one. */
  problem: CodeProblem | undefined
  /** A new number empties the six fields. */
  attempt: number
  /** `locked`: 'Code sent' shows instead of 'Resend code'. */
  resend: 'available' | 'sending' | 'locked'
  /** When a locked resend is available again. */
  unlocksAtMs: number | undefined
  /** After too many wrong codes, the time until the next try. */
  waitMinutes: number | undefined
  /** The request waits for the network. */
  offline: boolean
}

export type OtpEvent =
  | { type: 'send' }
  | { type: 'sent'; unlocksAtMs?: number }
  | { type: 'not-sent' }
  | { type: 'unlock-resend' }
  /** The user types. This removes a wrong entry, and does not wait for a resend. */
  | { type: 'edit' }
  | { type: 'submit' }
  | { type: 'accepted' }
  | { type: 'refused'; problem: CodeProblem; waitMinutes?: number | undefined }
  /** Removes the wrong entry, and keeps the error. */
  | { type: 'clear' }
  /** Removes the entry without an error, because another screen shows it. */
  | { type: 'withdraw' }
  | { type: 'network'; offline: boolean }

export const initialCode = (address: string, sentBy: CodeState['sentBy']): CodeState => ({
  status: 'initial',
  address,
  sentBy,
  problem: undefined,
  attempt: 0,
  resend: 'available',
  unlocksAtMs: undefined,
  waitMinutes: undefined,
  offline: false,
})

const withoutProblem = { problem: undefined, waitMinutes: undefined } as const
/** A resend does not change the status of a code that the user has entered in the meantime. */
const statusOfSent = (status: OtpStatus): OtpStatus =>
  status === 'sending-code' ? 'awaiting-code-input' : status

/** Returns the next state, or the same one if the event does not apply. */
export function otp(state: CodeState, event: OtpEvent): CodeState {
  const { status, resend, attempt } = state
  switch (event.type) {
    case 'send':
      if (status === 'initial') return { ...state, status: 'sending-code' }
      if ((status !== 'awaiting-code-input' && status !== 'error') || resend !== 'available') return state
      // Clears the fields now, so that digits that are typed before the answer are kept.
      return {
        ...state,
        ...withoutProblem,
        status: 'sending-code',
        resend: 'sending',
        attempt: attempt + 1,
      }
    case 'sent':
      if (resend === 'sending') {
        return { ...state, status: statusOfSent(status), resend: 'locked', unlocksAtMs: event.unlocksAtMs }
      }
      return status === 'sending-code' ? { ...state, status: 'awaiting-code-input' } : state
    case 'not-sent':
      if (resend === 'sending') return { ...state, status: statusOfSent(status), resend: 'available' }
      return status === 'sending-code' ? { ...state, status: 'initial' } : state
    case 'unlock-resend':
      return resend === 'locked' ? { ...state, resend: 'available' } : state
    case 'edit':
      if (status !== 'error' && !(status === 'sending-code' && resend === 'sending')) return state
      return { ...state, status: 'awaiting-code-input' }
    case 'submit':
      if (status !== 'awaiting-code-input') return state
      return { ...state, status: 'submitting-code', ...withoutProblem }
    case 'accepted':
      return status === 'submitting-code' ? { ...state, status: 'done' } : state
    case 'refused':
      if (status !== 'submitting-code') return state
      return { ...state, status: 'error', problem: event.problem, waitMinutes: event.waitMinutes }
    case 'clear':
      return status === 'error' ? { ...state, status: 'awaiting-code-input', attempt: attempt + 1 } : state
    case 'withdraw':
      if (status !== 'submitting-code') return state
      return { ...state, status: 'awaiting-code-input', attempt: attempt + 1 }
    case 'network':
      return state.offline === event.offline ? state : { ...state, offline: event.offline }
    default:
      return event satisfies never
  }
}
