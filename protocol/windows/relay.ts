/** How a result comes from a window of its own to the dialog that opened it, whatever opener policies are between. */
import * as v from 'valibot'
import type { LoginCapability } from '../entities/login-methods.ts'
import { base64url, text } from '../entities/primitives.ts'
import { product } from '../names/product.ts'
import { oauthLimits } from './limits.ts'

/** The dialog makes it from 36 random bytes; a verifier of RFC 7636 has 43 to 128 letters. */
export const oneUse = v.pipe(
  base64url,
  v.minLength(oauthLimits.shortestSecret),
  v.maxLength(oauthLimits.longestSecret),
)
/** SHA-256, base64url: `code_challenge` of RFC 7636 with S256, and nothing but S256. */
export const challenge = v.pipe(base64url, v.length(oauthLimits.challengeLength))

/**
 * The result is for whoever brings the secret that `challenge` is of. The handle names the start page, which may have
 * been opened already, and counts only in the browser that made it: the page asks the window that opened it for a
 * signature by `key`. Where the host's opener policy keeps the two apart, the page asks its user for the `digits`
 * that the card shows.
 */
export const relay = v.object({
  handle: oneUse,
  challenge,
  /** A point of P-256, uncompressed; made for this handle alone. */
  key: v.pipe(base64url, v.length(oauthLimits.startKeyLength)),
  digits: v.exactOptional(v.pipe(v.string(), v.regex(/^[0-9]{2}$/, 'Two digits'))),
  /** The origin of the page that the dialog is in; none where it stands alone. */
  origin: v.exactOptional(text),
})
export type Relay = v.InferOutput<typeof relay>
export const relayKey = v.object({ handle: oneUse, secret: oneUse })

/**
 * What a window is opened for: the capability that opens it, whose start page has its name in the address. Nothing that is
 * signed for one start page opens another.
 */
export type WindowPurpose = LoginCapability

/** A start page and the dialog that opened it exchange these: both are pages of the dialog's origin. */
export const startQuestion = v.object({
  type: v.literal(product.windowStart.question),
  /** Whoever is asked compares it with the purpose that it opened the window for. */
  purpose: v.string(),
  handle: oneUse,
  nonce: oneUse,
})
export const startAnswer = v.object({
  type: v.literal(product.windowStart.answer),
  handle: oneUse,
  signature: base64url,
})

/** The text that the key of a handle signs (ECDSA, SHA-256). */
export const startStatement = ({
  purpose,
  handle,
  nonce,
}: Pick<v.InferOutput<typeof startQuestion>, 'purpose' | 'handle' | 'nonce'>): string =>
  [`${product.key}/window-start/1`, purpose, handle, nonce].join('\n')
