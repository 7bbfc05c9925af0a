/** How a result comes from a window of its own to the dialog that opened it, whatever opener policies are between. */
import * as v from 'valibot'
import { base64url } from '../entities/primitives.ts'
import { oauthLimits } from './oauth.limits.ts'

/** Made by the dialog from 36 random bytes; a verifier of RFC 7636 has 43 to 128 letters. */
export const oneUse = v.pipe(
  base64url,
  v.minLength(oauthLimits.shortestSecret),
  v.maxLength(oauthLimits.longestSecret),
)
/** SHA-256, base64url: `code_challenge` of RFC 7636 with S256, and nothing but S256. */
export const challenge = v.pipe(base64url, v.length(oauthLimits.challengeLength))

/**
 * The result is for whoever brings the secret that `challenge` is of. The handle names the start page, which may have
 * been opened already.
 */
export const relay = v.object({ handle: oneUse, challenge })
export const relayKey = v.object({ handle: oneUse, secret: oneUse })
