/**
 * What the device of a session signs when its user has approved a request on the page of confirmations: the vault
 * does it, for the page of its own origin, and for nobody else. A handle alone decides nothing but to refuse.
 */
import * as v from 'valibot'
import { appId } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'
import { confirmationHandle, signedDigest } from './wallet.ts'

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
