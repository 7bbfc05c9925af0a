import { byId, byTestId } from './elements.ts'
import { logEvent } from './event-log.ts'

export type Failure = { code: string; message: string }

/** The client rejects with errors that carry a code; anything else is a mistake of this page. */
export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return { code, message: error.message }
}

/** What a user decided is no failure: it stands in the log, and nobody is alarmed. */
export const isDecision = ({ code }: Failure) =>
  ['exited_auth_flow', 'user_rejected_request', 'call_cancelled'].includes(code)

export const clearFailure = () => {
  byId('error').hidden = true
}

export const showFailure = (call: string, error: unknown) => {
  const failure = failureOf(error)
  const { code, message } = failure
  const detail = `${code}: ${message}`
  if (isDecision(failure)) return logEvent({ kind: 'call', name: call, detail })
  byTestId('error-code').textContent = code
  byTestId('error-message').textContent = message
  byId('error').hidden = false
  logEvent({ kind: 'failure', name: call, detail })
}
