/** The machine of a code that was sent: pure, the same for e-mail and SMS. */

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
  /** Where it went: an address, a number. */
  address: string
  sentBy: 'mail' | 'message'
  /** What was wrong with the last try; stays until the next. */
  problem: CodeProblem | undefined
  /** A new number empties the six fields. */
  attempt: number
  /** `locked`: 'Code sent' shows instead of 'Resend code'. */
  resend: 'available' | 'sending' | 'locked'
  /** When a locked resend is available again. */
  unlocksAtMs: number | undefined
  /** The code was guessed too often, and is not looked at for so long. */
  waitMinutes: number | undefined
  /** What is to be sent waits for the network. */
  offline: boolean
}

export type OtpEvent =
  | { type: 'send' }
  | { type: 'sent'; unlocksAtMs?: number }
  | { type: 'not-sent' }
  | { type: 'unlock-resend' }
  /** The user writes: a wrong entry has gone, and what is being sent is not waited for. */
  | { type: 'edit' }
  | { type: 'submit' }
  | { type: 'accepted' }
  | { type: 'refused'; problem: CodeProblem; waitMinutes?: number | undefined }
  /** The wrong entry goes; what was wrong with it stays to be read. */
  | { type: 'clear' }
  /** The entry goes without a word, since another screen says it. */
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
/** Another code was asked for meanwhile: what the user did with the one before stands. */
const statusOfSent = (status: OtpStatus): OtpStatus =>
  status === 'sending-code' ? 'awaiting-code-input' : status

/** The state after the event; the same state where the event has no meaning. */
export function otp(state: CodeState, event: OtpEvent): CodeState {
  const { status, resend, attempt } = state
  switch (event.type) {
    case 'send':
      if (status === 'initial') return { ...state, status: 'sending-code' }
      if ((status !== 'awaiting-code-input' && status !== 'error') || resend !== 'available') return state
      // Emptied now, so that what is typed while it is being sent counts.
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
