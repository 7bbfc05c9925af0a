/**
 * Untyped tokens, the form of release 0.1.0: every access token has the type `JWT` and the app id as its audience, so
 * only `scope` distinguishes host, dialog and wallet tokens.
 *
 * Servers and dialogs of that release reject typed tokens. Its signing keys therefore sign and verify untyped tokens
 * until the operator rotates them, after the upgrade of all servers. Both releases can run side by side until then.
 *
 * The next release deletes this file and its uses.
 */
import { randomId } from '../ids.ts'

export const untypedTokenType = 'JWT'

/** The ids of the keys of 0.1.0 are random ids, which have 24 characters. */
const typedKeyPattern = /^typed-[A-Za-z0-9_-]{24}$/
export const newTypedKeyId = () => `typed-${randomId()}`
export const signsTypedTokens = (keyId: string) => typedKeyPattern.test(keyId)

/** Listed as a key of each running server of this release (`running-servers.ts`). */
export const typedTokensMark = 'typed-tokens'

type TypedClaims = { aud: string; client_id: string; jti?: string }

export function toUntypedClaims<Claims extends TypedClaims>({ client_id, jti: _, ...claims }: Claims) {
  return { ...claims, aud: client_id }
}

/** Adds the claims that a typed token has. Returns anything but an object unchanged. */
export function toTypedClaims(claims: unknown, issuer: string): unknown {
  if (typeof claims !== 'object' || claims === null) return claims
  const { aud, scope } = Object(claims)
  return { ...claims, client_id: aud, aud: scope === 'host' ? aud : issuer }
}
