/** Why a token was refused, and the status of HTTP that says so. */
const errors = {
  missing_token: { status: 401, message: 'This needs the header "Authorization: Bearer <access token>"' },
  malformed_token: { status: 401, message: 'The access token is not a token of Latchkey' },
  invalid_signature: { status: 401, message: 'The access token was not signed by this issuer' },
  token_expired: {
    status: 401,
    message: 'The access token has expired. Get a new one with getAccessToken()',
  },
  wrong_issuer: { status: 401, message: 'The access token comes from another issuer' },
  wrong_audience: { status: 401, message: 'The access token is for another app' },
  wrong_scope: { status: 401, message: 'The access token is not one of getAccessToken()' },
  keys_unavailable: { status: 503, message: 'The keys that verify access tokens cannot be fetched' },
} as const

export type LatchkeyServerErrorCode = keyof typeof errors

const RETRY_AFTER_SECONDS = 5

export class LatchkeyServerError extends Error {
  override readonly name = 'LatchkeyServerError'
  readonly code: LatchkeyServerErrorCode
  /** 401 where another token may help, 503 where nothing was decided about this one. */
  readonly status: 401 | 503

  constructor(code: LatchkeyServerErrorCode, cause?: unknown) {
    super(errors[code].message, { cause })
    this.code = code
    this.status = errors[code].status
  }

  /** What a client gets: `{ error, code }`, as the endpoints of Latchkey answer. */
  get body(): { readonly error: string; readonly code: LatchkeyServerErrorCode } {
    return { error: this.message, code: this.code }
  }

  get headers(): Readonly<Record<string, string>> {
    if (this.status === 503) return { 'retry-after': String(RETRY_AFTER_SECONDS) }
    // RFC 6750, section 3.1: a request without a token is told the scheme alone.
    const challenge = this.code === 'missing_token' ? 'Bearer' : 'Bearer error="invalid_token"'
    return { 'www-authenticate': challenge }
  }

  toResponse(): Response {
    return Response.json(this.body, { status: this.status, headers: this.headers })
  }
}
