/** What the server says when it does not do what it was asked, as an error with a code. */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'

const bodySchema = v.object({
  error: v.exactOptional(v.string()),
  message: v.exactOptional(v.string()),
  code: v.exactOptional(v.string()),
  type: v.exactOptional(v.string()),
  details: v.exactOptional(v.unknown()),
})

/** A later server has codes that this release does not know: they are passed on, and told like any other failure. */
const isCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && /^[a-z]\w{2,63}$/.test(code) && code === code.toLowerCase()

/** For an answer without a code, as from a proxy in between. */
const codeByStatus: { [status: number]: ErrorCode } = {
  404: 'not_found',
  408: 'client_request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_data',
  425: 'request_in_progress',
  429: 'too_many_requests',
  500: 'internal_error',
  502: 'unavailable',
  503: 'unavailable',
  504: 'client_request_timeout',
}

export type ApiProblemDetails = {
  status: number
  type: string
  details?: unknown
}

export function readApiProblem(status: number, body: unknown, retryAfter: string | null): LatchkeyError {
  const parsed = v.safeParse(bodySchema, body)
  const { error, message, code, type = 'ApiError', details } = parsed.success ? parsed.output : {}
  const text = error ?? message ?? `The server answered with status ${status}`
  const problem: ApiProblemDetails = { status, type, ...(details !== undefined && { details }) }
  return new LatchkeyError(isCode(code) ? code : (codeByStatus[status] ?? 'error'), text, {
    details: problem,
    retryAfterSeconds: readSeconds(retryAfter),
  })
}

/** The header may hold a date too, which only proxies send; the schedule of retries is as good. */
const readSeconds = (header: string | null) =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined

const statusSchema = v.object({ status: v.number() })

const providerSchema = v.object({ details: v.object({ provider: v.string() }) })

/** Whether the token that was refused is one of a provider, and not that of the session. */
export const isOfProvider = (error: LatchkeyError): boolean => v.is(providerSchema, error.details)

/** The HTTP status that an error came with, if it came from the server. */
export function httpStatus(error: LatchkeyError): number | undefined {
  const parsed = v.safeParse(statusSchema, error.details)
  return parsed.success ? parsed.output.status : undefined
}
