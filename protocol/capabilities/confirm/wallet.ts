/**
 * Every signature is confirmed at the server first: it reads what is to be signed by itself, says where that may be
 * approved, and releases a share for this digest and no other. So is what is done with an account.
 */
import * as v from 'valibot'
import { appId, text } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'
import { exactOrigin } from '../../origins/origins.ts'
import { confirmationHandle, signedDigest } from '../../vault/confirmed.ts'
import { confirmLimits } from './limits.ts'

/** In dollars, with cents: `12.34`. */
export const usdText = v.pipe(v.string(), v.regex(/^[0-9]+\.[0-9]{2}$/))

/**
 * Where a request may be approved, the laxest first. `silent`: nobody has to be asked. `unseen`: on the card of a
 * browser that can not tell what covers it.
 */
export const confirmationPlaces = ['silent', 'frame', 'unseen', 'page'] as const
export type ConfirmationPlace = (typeof confirmationPlaces)[number]

export const confirmationReasons = [
  'plain_message',
  'account_action',
  'test_network',
  'within_allowance',
  'within_limits',
  'beyond_allowance',
  'too_often',
  'allowance_or_permit',
  'not_understood',
  'no_price',
  /** A message logs its signer in at a site that the app does not have. */
  'sign_in_elsewhere',
  'relayed',
  'browser',
] as const
export type ConfirmationReason = (typeof confirmationReasons)[number]

/**
 * A dapp that a user connected by a link, whose requests come through a relay: as it says itself, and nobody vouches for
 * it. What it asks for is approved on the page alone.
 */
export const relayedRequester = v.object({
  name: v.pipe(text, v.trim(), v.nonEmpty(), v.maxLength(confirmLimits.maxRequesterName)),
  /** Its origin. */
  url: v.pipe(
    text,
    v.maxLength(confirmLimits.maxRequesterUrl),
    v.check((url) => exactOrigin(url) !== undefined, 'This is no origin'),
  ),
})
export type RelayedRequester = v.InferOutput<typeof relayedRequester>

/** `used`: it was signed, or done. */
export const confirmationStates = ['open', 'approved', 'refused', 'used', 'expired'] as const
export type ConfirmationState = (typeof confirmationStates)[number]

/**
 * What the device of a session signs when its user has approved a request on the page of confirmations: the vault
 * does it, for the page of its own origin, and for nobody else. A handle alone decides nothing but to refuse.
 */

/** Tells a decision from everything else that is signed with a key of a browser. */
export const decisionType = `${product.key}-decision+jwt`

/** The payload, of a JWS by ES256 whose header has the public key. One request is decided once, so it is used once. */
export const decisionSchema = v.strictObject({
  aud: appId,
  decision: v.literal('approve'),
  handle: confirmationHandle,
  digest: signedDigest,
})
export type Decision = v.InferOutput<typeof decisionSchema>
