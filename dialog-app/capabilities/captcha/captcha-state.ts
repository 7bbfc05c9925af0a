/** The states of a captcha, without time and without a page. */
import { captchaLimits } from '@latchkey/protocol'

export type CaptchaState =
  | { readonly status: 'ready' | 'loading'; readonly retriesLeft: number }
  | { readonly status: 'success'; readonly token: string }
  | { readonly status: 'error'; readonly retriesLeft: number }

export type CaptchaEvent =
  | { readonly type: 'execute' }
  | { readonly type: 'passed'; readonly token: string }
  | { readonly type: 'failed' }
  | { readonly type: 'retry' }

/** Where the app has none it is disabled: nobody makes a state of it, and no screen shows it. */
export const readyCaptcha: CaptchaState = { status: 'ready', retriesLeft: captchaLimits.retries }

/** The state after the event; the same state where the event has no meaning. */
export function captchaAfter(state: CaptchaState, event: CaptchaEvent): CaptchaState {
  switch (event.type) {
    case 'execute':
      return state.status === 'ready' ? { ...state, status: 'loading' } : state
    case 'passed':
      return state.status === 'loading' ? { status: 'success', token: event.token } : state
    case 'failed':
      return state.status === 'loading' ? { ...state, status: 'error' } : state
    case 'retry':
      return state.status === 'error' && state.retriesLeft > 0
        ? { status: 'loading', retriesLeft: state.retriesLeft - 1 }
        : state
    default:
      return event satisfies never
  }
}
