/** Problem documents (RFC 9457) of the Admin API. */
import { LatchkeyError, product } from '@latchkey/protocol'
import { type AdminErrorCode, adminErrors } from '@latchkey/protocol/admin'
import type { Context } from 'hono'
import { AppRefusal } from '../../identity/apps/apps.ts'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import { toLatchkeyError } from '../../kernel/http/failures.ts'
import { failureLimits } from '../../kernel/limits.ts'

export const isAdminErrorCode = (code: string): code is AdminErrorCode => Object.hasOwn(adminErrors, code)

/** The shared helpers of the server throw `LatchkeyError`; their codes have the same names here. */
export function toAdminError(error: unknown): AdminError {
  if (error instanceof AdminError) return error
  if (error instanceof AppRefusal) {
    const code = error.code === 'not_supported' ? 'not_supported' : 'invalid_data'
    return new AdminError(code, error.message, { cause: error })
  }
  const { code, message, details, retryAfterSeconds } = toLatchkeyError(error)
  const path = error instanceof LatchkeyError ? Reflect.get(Object(details), 'path') : undefined
  return new AdminError(isAdminErrorCode(code) ? code : 'internal_error', message, {
    path: typeof path === 'string' ? path : undefined,
    retryAfterSeconds,
    cause: error,
  })
}

export function problemResponse(c: Context, error: AdminError, requestId: string): Response {
  const { code, message, path, retryAfterSeconds, members } = error
  const { status, title } = adminErrors[code]
  const after = retryAfterSeconds ?? (status === 503 ? failureLimits.retryAfterSeconds : undefined)
  if (after !== undefined) c.header('retry-after', String(Math.ceil(after)))
  if (status === 401) c.header('www-authenticate', 'Bearer')
  c.header('content-type', 'application/problem+json')
  const problem = {
    type: `urn:${product.key}:admin:${code}`,
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(path !== undefined && { path }),
    ...members,
  }
  return c.body(JSON.stringify(problem), status)
}
