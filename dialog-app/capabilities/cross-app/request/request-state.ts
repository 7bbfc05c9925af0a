/**
 * How far a request to the provider of a wallet is, as a machine: its user is asked in a window, and connects anew where
 * the provider takes no token any more. A captcha takes the click with it, so the window opens at the next one.
 */
import type { LatchkeyError } from '@latchkey/protocol'
import { rowFor } from '../../../contract/error-table.ts'
import type { CaptchaPass } from '../../../contract/login.ts'
import { done, type Ending, failed } from '../../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import type { WindowState } from '../../../window-login/window-tries.ts'
import type { CrossAppGrant } from '../auth.ts'
import { failures } from '../failures.ts'
import { noToken } from '../provider/tokens.ts'
import type { RequestStep } from '../screens/request-screen.tsx'
import { english } from '../texts.arb'
import { rejected } from './request.ts'

type Failed = Omit<Extract<RequestStep, { status: 'failed' }>, 'status'>
export type RequestPhase =
  | { at: 'beginning' }
  /** The button of the card opens a window of what is asked for. */
  | { at: 'ready' }
  /** The provider wants its user to log in once more. */
  | { at: 'lost' }
  | ({ at: 'waiting' } & WindowState)
  | { at: 'connecting' }
  | ({ at: 'failed' } & Failed)
  | { at: 'granted' }

export type RequestState = {
  phase: RequestPhase
  /** What the button of the card opens. */
  opens: 'request' | 'connection'
  /** What the caller gets where the user leaves now. */
  closing: LatchkeyError
  /** For one try to connect, where the app asks for a captcha. */
  pass: CaptchaPass | undefined
}

export type RequestEvent =
  | { type: 'begin' }
  | { type: 'checked'; isConnected: boolean }
  | { type: 'pressed'; needsPass: boolean }
  /** Undefined where the user left the captcha. */
  | { type: 'passed'; pass: CaptchaPass | undefined }
  | { type: 'window shown'; window: WindowState }
  | { type: 'granted'; result: string }
  | { type: 'refused'; error: LatchkeyError }
  | { type: 'connection granted'; grant: CrossAppGrant }
  | { type: 'not connected'; error: LatchkeyError }
  | { type: 'connected'; hasToken: boolean }

export type RequestEffect =
  | { type: 'check' }
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
  /** What was granted stays to be read for a moment. */
  | { type: 'hold' }
  /** Its caller hears; the screen stays. */
  | { type: 'settle'; ending: Ending<string> }
  | { type: 'end'; ending: Ending<string> }

type Step = Next<RequestState, RequestEffect>

export const unasked = (): RequestState => ({
  phase: { at: 'beginning' },
  opens: 'request',
  closing: rejected(),
  pass: undefined,
})

const askToConnect = (state: RequestState): RequestState => ({
  ...state,
  closing: noToken(),
  opens: 'connection',
  phase: { at: 'lost' },
})
const askAnew = (state: RequestState): RequestState => ({
  ...state,
  closing: rejected(),
  opens: 'request',
  phase: { at: 'ready' },
})

function pressed(state: RequestState, { needsPass }: { needsPass: boolean }): Step {
  const { opens, pass } = state
  if (opens === 'request') return [{ ...state, closing: rejected() }, { type: 'open request' }]
  if (needsPass && pass === undefined) return [state, { type: 'ask for pass' }]
  return [
    { ...state, pass: undefined },
    { type: 'open connection', pass },
  ]
}

const failWith = (state: RequestState, failure: Failed): RequestState => ({
  ...state,
  phase: { at: 'failed', ...failure },
})

function refused(state: RequestState, { error }: { error: LatchkeyError }): Step {
  const track = { type: 'track', event: 'cross_app_request_error', code: error.code } as const
  const next = { ...state, closing: error }
  switch (error.code) {
    case 'user_rejected_request':
      return [next, track, { type: 'end', ending: failed(error) }]
    case 'missing_or_invalid_token':
      return [askToConnect(next), track]
    case 'client_request_timeout': {
      // Its caller waits no longer; its user reads why.
      const text = { of: 'request', text: 'timeout' } as const
      return [failWith(next, { text, isRetryable: false }), track, { type: 'settle', ending: failed(error) }]
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
  { type: 'settle', ending: done(result) },
  { type: 'hold' },
]

/** A window is open, or may be opened: whatever comes first of any of them counts. */
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
  beginning: {
    begin: (state) => [state, { type: 'check' }],
    checked: (state, { isConnected }) => [isConnected ? askAnew(state) : askToConnect(state)],
  },
  ready: withWindows,
  lost: withWindows,
  waiting: withWindows,
  failed: withWindows,
  connecting: {
    connected: (state, { hasToken }) => [
      hasToken ? askAnew(state) : askToConnect(state),
      { type: 'track', event: 'cross_app_auth_completed' },
    ],
    'not connected': notConnected,
  },
  granted: {},
}

export const requestStep = stepBy(table)
