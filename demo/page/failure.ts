import { byId, byTestId } from './elements.ts'
import { logEvent } from './event-log.ts'

export type Failure = { code: string; message: string }

/** Returns code and message of an error. The client's errors have a code; others are bugs of this page. */
export const toFailure = (error: unknown): Failure => {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return { code, message: error.message }
}

/** Returns whether the user cancelled. Cancellations are logged, but not shown as errors. */
export const isDecision = ({ code }: Failure) =>
  ['exited_auth_flow', 'user_rejected_request', 'call_cancelled'].includes(code)

export const clearFailure = () => {
  byId('error').hidden = true
}

export const showFailure = (call: string, error: unknown) => {
  const failure = toFailure(error)
  const { code, message } = failure
  const detail = `${code}: ${message}`
  if (isDecision(failure)) return logEvent({ kind: 'call', name: call, detail })
  byTestId('error-code').textContent = code
  byTestId('error-message').textContent = message
  byId('error').hidden = false
  logEvent({ kind: 'failure', name: call, detail })
}
