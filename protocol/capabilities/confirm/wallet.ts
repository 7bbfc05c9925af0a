/**
 * Confirmations as the wallet frame sees them. The server parses each request to sign, decides its approval surface,
 * and releases a share for that digest only. Account actions work the same way.
 */
import * as v from 'valibot'
import { appId, text } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'
import { exactOrigin } from '../../origins/origins.ts'
import { confirmationHandle, signedDigest } from '../../vault/confirmed.ts'
import { confirmLimits } from './limits.ts'

/** US dollars with cents: `12.34`. */
export const usdText = v.pipe(v.string(), v.regex(/^[0-9]+\.[0-9]{2}$/))

/**
 * Approval surfaces, from the least to the most strict. `silent`: no approval. `unseen`: the card in a browser without
 * occlusion checks.
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
  /** The message signs in to a site that is not an origin of the app. */
  'sign_in_elsewhere',
  'relayed',
  'browser',
] as const
export type ConfirmationReason = (typeof confirmationReasons)[number]

/**
 * A dapp that the user connected by a link and that uses a relay. It describes itself, unverified. Its requests require
 * the confirmation page.
 */
export const relayedRequester = v.object({
  name: v.pipe(text, v.trim(), v.nonEmpty(), v.maxLength(confirmLimits.maxRequesterName)),
  url: v.pipe(
    text,
    v.maxLength(confirmLimits.maxRequesterUrl),
    v.check((url) => exactOrigin(url) !== undefined, 'This is no origin'),
  ),
})
export type RelayedRequester = v.InferOutput<typeof relayedRequester>

/** `used`: the request was signed or executed. */
export const confirmationStates = ['open', 'approved', 'refused', 'used', 'expired'] as const
export type ConfirmationState = (typeof confirmationStates)[number]

/**
 * The statement that approves a request on the confirmation page. The vault's device key signs it for that page only.
 * Without it, the handle can only refuse.
 */

/** The `typ` of a decision, which separates it from other tokens signed by a browser key. */
export const decisionType = `${product.key}-decision+jwt`

/** The JWS payload (ES256, public key in the header). A request is decided once, so a decision cannot be replayed. */
export const decisionSchema = v.strictObject({
  aud: appId,
  decision: v.literal('approve'),
  handle: confirmationHandle,
  digest: signedDigest,
})
export type Decision = v.InferOutput<typeof decisionSchema>
