/** The machine of a code that was sent: pure, the same for e-mail and SMS. */

export type OtpStatus =
  | 'initial'
  | 'sending-code'
  | 'awaiting-code-input'
  | 'submitting-code'
  | 'done'
  | 'error'

export type CodeState = {
  readonly status: OtpStatus
  readonly address: string
  /** What was wrong with the last try; stays until the next. */
  readonly problem: string | undefined
  /** A new number empties the six fields. */
  readonly attempt: number
  /** `locked`: 'Code sent' shows instead of 'Resend code'. */
  readonly resend: 'available' | 'sending' | 'locked'
  /** Of a resend that is locked. */
  readonly unlocksAtMs: number | undefined
  /** The code was guessed too often, and is not looked at for so long. */
  readonly waitMinutes: number | undefined
  /** What is to be sent waits for the network. */
  readonly offline: boolean
}

export type OtpEvent =
  | { readonly type: 'send' }
  | { readonly type: 'sent'; readonly unlocksAtMs?: number }
  | { readonly type: 'not-sent' }
  | { readonly type: 'unlock-resend' }
  | { readonly type: 'submit' }
  | { readonly type: 'accepted' }
  | { readonly type: 'refused'; readonly problem: string; readonly waitMinutes?: number | undefined }
  /** The wrong entry goes; what was wrong with it stays to be read. */
  | { readonly type: 'clear' }
  /** The entry goes without a word, since another screen says it. */
  | { readonly type: 'withdraw' }
  | { readonly type: 'network'; readonly offline: boolean }

export const initialCode = (address: string): CodeState => ({
  status: 'initial',
  address,
  problem: undefined,
  attempt: 0,
  resend: 'available',
  unlocksAtMs: undefined,
  waitMinutes: undefined,
  offline: false,
})

const withoutProblem = { problem: undefined, waitMinutes: undefined } as const

/** The state after the event; the same state where the event has no meaning. */
export function otp(state: CodeState, event: OtpEvent): CodeState {
  const { status, resend, attempt } = state
  switch (event.type) {
    case 'send':
      if (status === 'initial') return { ...state, status: 'sending-code' }
      if ((status !== 'awaiting-code-input' && status !== 'error') || resend !== 'available') return state
      return { ...state, status: 'sending-code', resend: 'sending', ...withoutProblem }
    case 'sent':
      if (status !== 'sending-code') return state
      return {
        ...state,
        status: 'awaiting-code-input',
        attempt: attempt + 1,
        resend: resend === 'sending' ? 'locked' : resend,
        unlocksAtMs: event.unlocksAtMs,
      }
    case 'not-sent':
      if (status !== 'sending-code') return state
      return {
        ...state,
        status: resend === 'sending' ? 'awaiting-code-input' : 'initial',
        resend: 'available',
      }
    case 'unlock-resend':
      return resend === 'locked' ? { ...state, resend: 'available' } : state
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
