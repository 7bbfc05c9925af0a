/** Relays a result from a separate window to the dialog that opened it, independent of opener policies. */
import * as v from 'valibot'
import type { LoginCapability } from '../entities/login-methods.ts'
import { base64url, text } from '../entities/primitives.ts'
import { product } from '../names/product.ts'
import { oauthLimits } from './limits.ts'

/** 36 random bytes of the dialog. A verifier of RFC 7636 has 43 to 128 characters. */
export const oneUse = v.pipe(
  base64url,
  v.minLength(oauthLimits.shortestSecret),
  v.maxLength(oauthLimits.longestSecret),
)
/** SHA-256, base64url: the S256 `code_challenge` of RFC 7636. Other methods are not supported. */
export const challenge = v.pipe(base64url, v.length(oauthLimits.challengeLength))

/**
 * A relay. The result is released to the holder of the secret of `challenge`. The handle identifies the start page,
 * which may already be open, and only counts in the browser that created it. The start page asks its opener for a
 * signature by `key`. If the host's opener policy isolates the page, it asks its user for the `digits` that the card
 * shows.
 */
export const relay = v.object({
  handle: oneUse,
  challenge,
  /** An uncompressed P-256 point, created for this handle. */
  key: v.pipe(base64url, v.length(oauthLimits.startKeyLength)),
  digits: v.exactOptional(v.pipe(v.string(), v.regex(/^[0-9]{2}$/, 'Two digits'))),
  /** The origin of the host page. Omitted by a standalone dialog. */
  origin: v.exactOptional(text),
})
export type Relay = v.InferOutput<typeof relay>
export const relayKey = v.object({ handle: oneUse, secret: oneUse })

/**
 * The capability that opens the window. Its name is in the start page's URL, so a signature for one start page is
 * invalid for another.
 */
export type WindowPurpose = LoginCapability

/** Messages between a start page and its opener. Both are pages of the dialog origin. */
export const startQuestion = v.object({
  type: v.literal(product.windowStart.question),
  /** The dialog compares it with the purpose that it opened the window for. */
  purpose: v.string(),
  handle: oneUse,
  nonce: oneUse,
})
export const startAnswer = v.object({
  type: v.literal(product.windowStart.answer),
  handle: oneUse,
  signature: base64url,
})

/** Returns the text that the handle's key signs (ECDSA, SHA-256). */
export const startStatement = ({
  purpose,
  handle,
  nonce,
}: Pick<v.InferOutput<typeof startQuestion>, 'purpose' | 'handle' | 'nonce'>): string =>
  [`${product.key}/window-start/1`, purpose, handle, nonce].join('\n')
