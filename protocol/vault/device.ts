/**
 * The device of a session: a key that the vault makes for one login and keeps where no script can copy it. What the
 * vault signs with it is a *statement*: for this step of this operation, seal to this key of mine. The server makes
 * wallet tokens for stated keys alone, so nobody who stands between the vault and the server can name a key of theirs.
 *
 * A statement may be sent twice and is worth nothing the second time: it leads to a token for a key that opens one
 * operation's step once, and each call with the token takes a proof by the same device (RFC 9449) over that token, the
 * body and the request id. So there are no nonces to hand out or to remember.
 */

import * as v from 'valibot'
import { appId, thumbprint } from '../entities/primitives.ts'
import { walletAddress } from '../entities/wallets/wallet-address.ts'
import { product } from '../names/product.ts'
import { signedDigest } from './confirmed.ts'
import { operationStepSchema, sealingKey } from './operations.ts'
import { walletPurposeSchema } from './purposes.ts'

/** Tells a statement from everything else that is signed with a key of a browser. */
export const deviceStatementType = `${product.key}-device+jwt`

/** `login`: the key that signs is the device of the session that this login starts, or started. */
export const statementPurposeSchema = v.union([v.literal('login'), walletPurposeSchema])
export type StatementPurpose = v.InferOutput<typeof statementPurposeSchema>

/** What is stated, beside the app and the key of the operation, which the vault adds by itself. */
export const statementInputSchema = v.object({
  purpose: statementPurposeSchema,
  operation: operationStepSchema,
  /** The wallet that the step is about; null for purposes that name none. */
  address: v.nullable(walletAddress),
  /** The digest of what the user confirmed; null where nobody was asked. */
  digest: v.nullable(signedDigest),
  /** The key of the dialog whose session this is: in another dialog's hands the statement is of no use. */
  dialogKey: thumbprint,
})
export type StatementInput = v.InferOutput<typeof statementInputSchema>

/** The payload of a statement, a JWS by ES256 whose header has the public key. */
export const deviceStatementSchema = v.strictObject({
  aud: appId,
  vpk: sealingKey,
  purpose: statementPurposeSchema,
  op: v.strictObject(operationStepSchema.entries),
  address: v.nullable(walletAddress),
  digest: v.nullable(signedDigest),
  jkt: thumbprint,
})
export type DeviceStatement = v.InferOutput<typeof deviceStatementSchema>
