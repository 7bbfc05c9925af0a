/**
 * Tokens of servers of release 0.1.0: every token has the type `JWT` and the app id as its audience, so only `scope`
 * distinguishes host tokens. The next release deletes this file and its uses.
 */
import { decodeProtectedHeader, type JWTPayload } from 'jose'
import { LatchkeyServerError } from './errors.ts'

export function hasUntypedHeader(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === 'JWT'
  } catch {
    return false
  }
}

export const untypedChecks = { typ: 'JWT', requiredClaims: ['sub', 'sid', 'scope', 'iat', 'exp'] }

export function assertHostScope({ scope }: JWTPayload): void {
  if (scope !== 'host') throw new LatchkeyServerError('wrong_scope')
}
