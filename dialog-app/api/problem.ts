/** Converts error responses of the server to errors with a code. */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'

const bodySchema = v.object({
  error: v.exactOptional(v.string()),
  message: v.exactOptional(v.string()),
  code: v.exactOptional(v.string()),
  type: v.exactOptional(v.string()),
  details: v.exactOptional(v.unknown()),
})

/** Accepts unknown codes too, because a later server may send codes that this release does not define. */
const isCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && /^[a-z]\w{2,63}$/.test(code) && code === code.toLowerCase()

/** Codes for responses without one, for example from a proxy. */
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

/** Ignores dates in the header, which only proxies send; the retry schedule then applies. */
const readSeconds = (header: string | null) =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined

const statusSchema = v.object({ status: v.number() })

const providerSchema = v.object({ details: v.object({ provider: v.string() }) })

/** Returns whether the refused token is a provider's and not the session's. */
export const isOfProvider = (error: LatchkeyError): boolean => v.is(providerSchema, error.details)

/** Returns the HTTP status of an error response. */
export function httpStatus(error: LatchkeyError): number | undefined {
  const parsed = v.safeParse(statusSchema, error.details)
  return parsed.success ? parsed.output.status : undefined
}
