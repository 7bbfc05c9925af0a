/** The reasons why a token is rejected, with their HTTP status. */
const errors = {
  missing_token: { status: 401, message: 'Missing header "Authorization: Bearer <access token>"' },
  malformed_token: { status: 401, message: 'The access token is not a Latchkey token' },
  invalid_signature: { status: 401, message: 'The access token was not signed by this issuer' },
  token_expired: {
    status: 401,
    message: 'The access token has expired. Get a new one with getAccessToken()',
  },
  wrong_issuer: { status: 401, message: 'The access token was issued by another issuer' },
  wrong_audience: { status: 401, message: 'The access token is for another app' },
  wrong_scope: { status: 401, message: 'The token is not an access token of getAccessToken()' },
  keys_unavailable: { status: 503, message: 'The public keys for access tokens cannot be fetched' },
} as const

export type LatchkeyServerErrorCode = keyof typeof errors

const RETRY_AFTER_SECONDS = 5

export class LatchkeyServerError extends Error {
  override readonly name = 'LatchkeyServerError'
  readonly code: LatchkeyServerErrorCode
  /** 401 if another token may succeed, 503 if the token could not be checked. */
  readonly status: 401 | 503

  constructor(code: LatchkeyServerErrorCode, cause?: unknown) {
    super(errors[code].message, { cause })
    this.code = code
    this.status = errors[code].status
  }

  /** The response body, `{ error, code }`, as in Latchkey's own endpoints. */
  get body(): { readonly error: string; readonly code: LatchkeyServerErrorCode } {
    return { error: this.message, code: this.code }
  }

  get headers(): Readonly<Record<string, string>> {
    if (this.status === 503) return { 'retry-after': String(RETRY_AFTER_SECONDS) }
    // RFC 6750, section 3.1: a request without a token receives only the scheme.
    const challenge = this.code === 'missing_token' ? 'Bearer' : 'Bearer error="invalid_token"'
    return { 'www-authenticate': challenge }
  }

  toResponse(): Response {
    return Response.json(this.body, { status: this.status, headers: this.headers })
  }
}
