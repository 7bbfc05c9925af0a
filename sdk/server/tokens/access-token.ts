import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { LatchkeyServerError, type LatchkeyServerErrorCode } from './errors.ts'
import { tokenLimits } from './limits.ts'
import { assertHostScope, hasUntypedHeader, untypedChecks } from './untyped-tokens.ts'

/** The verified content of an access token. It identifies the user and grants no access at Latchkey. */
export type AccessToken = {
  userId: string
  appId: string
  sessionId: string
  issuedAt: Date
  expiresAt: Date
}

export type Expected = {
  appId: string
  issuer: string
  getKey: JWTVerifyGetKey
  nowMs: () => number
}

export async function verify(
  token: string,
  { appId, issuer, getKey, nowMs }: Expected,
): Promise<AccessToken> {
  if (typeof token !== 'string' || token === '') throw new LatchkeyServerError('missing_token')
  if (token.length > tokenLimits.tokenCharacters) throw new LatchkeyServerError('malformed_token')
  const isUntyped = hasUntypedHeader(token)
  const { payload } = await jwtVerify(token, getKey, {
    issuer,
    audience: appId,
    // The only algorithm of Latchkey. A token must not choose how it is verified.
    algorithms: ['ES256'],
    // Dialog and wallet tokens have the same key, but another type and audience (RFC 9068).
    typ: 'at+jwt',
    requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    clockTolerance: tokenLimits.clockToleranceSeconds,
    currentDate: new Date(nowMs()),
    ...(isUntyped && untypedChecks),
  }).catch((error: unknown) => {
    throw error instanceof LatchkeyServerError ? error : new LatchkeyServerError(toErrorCode(error), error)
  })
  if (isUntyped) assertHostScope(payload)
  return toAccessToken(payload, nowMs())
}

function toErrorCode(error: unknown): LatchkeyServerErrorCode {
  if (error instanceof errors.JWTExpired) return 'token_expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return 'wrong_issuer'
    if (error.claim === 'aud') return 'wrong_audience'
    if (error.claim === 'typ') return 'wrong_scope'
    return 'malformed_token'
  }
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return 'invalid_signature'
  if (error instanceof errors.JOSEError) return 'malformed_token'
  throw error
}

function toAccessToken({ sub, aud, sid, iat, exp }: JWTPayload, nowMs: number): AccessToken {
  const isComplete =
    typeof sub === 'string' &&
    typeof aud === 'string' &&
    typeof sid === 'string' &&
    iat !== undefined &&
    exp !== undefined
  if (!isComplete || iat * 1_000 > nowMs + tokenLimits.clockToleranceSeconds * 1_000)
    throw new LatchkeyServerError('malformed_token')
  return {
    userId: sub,
    appId: aud,
    sessionId: sid,
    issuedAt: new Date(iat * 1_000),
    expiresAt: new Date(exp * 1_000),
  }
}
