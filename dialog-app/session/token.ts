/** Reads the expiry and subject of an access token. Only the server verifies tokens. */
import { type AccessTokenClaims, accessTokenClaimsSchema, sessionLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import { fromBase64url } from '../browser/base64url.ts'

export function readClaims(token: string): AccessTokenClaims | undefined {
  const [, payload = ''] = token.split('.')
  try {
    const json = new TextDecoder().decode(fromBase64url(payload))
    const parsed = v.safeParse(accessTokenClaimsSchema, JSON.parse(json))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

export function isActive(token: string | null, nowMs: number): token is string {
  const claims = token === null ? undefined : readClaims(token)
  return claims !== undefined && claims.exp - nowMs / 1_000 > sessionLimits.activeLeftSeconds
}

export const readSubject = (token: string | null): string | undefined =>
  token === null ? undefined : readClaims(token)?.sub

/** Returns whether the token belongs to another app. An unreadable token belongs to none. */
export function isForAnotherApp(token: string | null, appId: string): boolean {
  const claims = token === null ? undefined : readClaims(token)
  return claims !== undefined && (claims.client_id ?? claims.aud) !== appId
}
