/**
 * The state machine of a request to a wallet provider. The user confirms the request in a window. If the provider accepts
 * no token, the user first connects the account again. A captcha consumes the click, so the next click opens the window.
 */
import type { LatchkeyError } from '@latchkey/protocol'
import { rowFor } from '../../../contract/error-table.ts'
import type { CaptchaPass } from '../../../contract/login.ts'
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import type { WindowState } from '../../../window-login/window-tries.ts'
import type { CrossAppGrant } from '../auth.ts'
import { type AuthFailure, failures } from '../failures.ts'
import { noToken } from '../provider/tokens.ts'
import { type Texts as CrossAppTexts, english } from '../texts.arb'
import { rejected } from './request.ts'

type Failure = {
  text: { of: 'auth'; text: AuthFailure['text'] } | { of: 'request'; text: keyof CrossAppTexts['problems'] }
  isRetryable: boolean
}
export type RequestPhase =
  /** The button opens the window of the request. */
  | { at: 'ready' }
  /** The button opens the window in which the account is connected again. */
  | { at: 'lost' }
  | ({ at: 'waiting' } & WindowState)
  | { at: 'connecting' }
  | ({ at: 'failed' } & Failure)
  | { at: 'granted' }

export type RequestState = {
  phase: RequestPhase
  /** The window that the button opens. */
  opens: 'request' | 'connection'
  /** The error that the caller gets if the user leaves now. */
  closing: LatchkeyError
  /** The captcha token for one connection attempt. */
  pass: CaptchaPass | undefined
}

export type RequestEvent =
  | { type: 'pressed'; needsPass: boolean }
  /** Undefined if the user left the captcha. */
  | { type: 'passed'; pass: CaptchaPass | undefined }
  | { type: 'window shown'; window: WindowState }
  | { type: 'granted'; result: string }
  | { type: 'refused'; error: LatchkeyError }
  | { type: 'connection granted'; grant: CrossAppGrant }
  | { type: 'not connected'; error: LatchkeyError }
  | { type: 'connected'; hasToken: boolean }

export type RequestEffect =
  | { type: 'open request' }
  | { type: 'open connection'; pass: CaptchaPass | undefined }
  | { type: 'ask for pass' }
  | { type: 'connect'; grant: CrossAppGrant }
  | {
      type: 'track'
      event:
        | 'cross_app_request_success'
        | 'cross_app_request_error'
        | 'cross_app_auth_error'
        | 'cross_app_auth_completed'
      code?: string
    }
  /** Resolves the call, and closes the screen after the user had a moment to read the success. */
  | { type: 'succeed'; result: string }
  /** Rejects the call, while the screen stays open. */
  | { type: 'settle'; error: LatchkeyError }
  | { type: 'reject'; error: LatchkeyError }

type Step = Next<RequestState, RequestEffect>

type Pass = Pick<RequestState, 'pass'>

const askToConnect = (state: Pass): RequestState => ({
  ...state,
  closing: noToken(),
  opens: 'connection',
  phase: { at: 'lost' },
})
const askUser = (state: Pass): RequestState => ({
  ...state,
  closing: rejected(),
  opens: 'request',
  phase: { at: 'ready' },
})

export const initialRequest = (isConnected: boolean): RequestState =>
  (isConnected ? askUser : askToConnect)({ pass: undefined })

function pressed(state: RequestState, { needsPass }: { needsPass: boolean }): Step {
  const { opens, pass } = state
  if (opens === 'request') return [{ ...state, closing: rejected() }, { type: 'open request' }]
  if (needsPass && pass === undefined) return [state, { type: 'ask for pass' }]
  return [
    { ...state, pass: undefined },
    { type: 'open connection', pass },
  ]
}

const failWith = (state: RequestState, failure: Failure): RequestState => ({
  ...state,
  phase: { at: 'failed', ...failure },
})

function refused(state: RequestState, { error }: { error: LatchkeyError }): Step {
  const track = { type: 'track', event: 'cross_app_request_error', code: error.code } as const
  const next = { ...state, closing: error }
  switch (error.code) {
    case 'user_rejected_request':
      return [next, track, { type: 'reject', error }]
    case 'missing_or_invalid_token':
      return [askToConnect(next), track]
    case 'client_request_timeout': {
      // The caller stops waiting, and the user reads the reason.
      const text = { of: 'request', text: 'timeout' } as const
      return [failWith(next, { text, isRetryable: false }), track, { type: 'settle', error }]
    }
    default: {
      const text = error.message === english.problems.notStarted ? 'notStarted' : 'failed'
      return [failWith(next, { text: { of: 'request', text }, isRetryable: true }), track]
    }
  }
}

function notConnected(state: RequestState, { error }: { error: LatchkeyError }): Step {
  const { text } = rowFor(failures, error.code)
  return [
    failWith(state, { text: { of: 'auth', text }, isRetryable: true }),
    { type: 'track', event: 'cross_app_auth_error', code: error.code },
  ]
}

const toGranted = (state: RequestState, { result }: { result: string }): Step => [
  { ...state, phase: { at: 'granted' } },
  { type: 'track', event: 'cross_app_request_success' },
  { type: 'succeed', result },
]

/** Rows of the phases in which windows are or can be opened. The first result of any window counts. */
const withWindows = {
  pressed,
  granted: toGranted,
  refused,
  'not connected': notConnected,
  'window shown': (state: RequestState, { window }: { window: WindowState }): Step => [
    { ...state, phase: { at: 'waiting', ...window } },
  ],
  'connection granted': (state: RequestState, { grant }: { grant: CrossAppGrant }): Step => [
    { ...state, phase: { at: 'connecting' } },
    { type: 'connect', grant },
  ],
  passed: (state: RequestState, { pass }: { pass: CaptchaPass | undefined }): Step => [
    { ...state, pass: pass ?? state.pass, phase: { at: 'lost' } },
  ],
}

const table: Table<RequestState, RequestEvent, RequestEffect> = {
  ready: withWindows,
  lost: withWindows,
  waiting: withWindows,
  failed: withWindows,
  connecting: {
    connected: (state, { hasToken }) => [
      hasToken ? askUser(state) : askToConnect(state),
      { type: 'track', event: 'cross_app_auth_completed' },
    ],
    'not connected': notConnected,
  },
  granted: {},
}

export const requestStep = stepBy(table)
