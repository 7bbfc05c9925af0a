/**
 * Device keys and their statements.
 *
 * A session's device is a non-extractable key that the vault creates for one login. The vault signs *statements* with
 * it: for this step of this operation, seal to this public key. The server only creates wallet tokens for keys in
 * statements. So an attacker between vault and server cannot substitute their own key.
 *
 * A replayed statement is worthless: its token is for a key that opens one operation step once. Each call with the
 * token also requires a proof by the same device (RFC 9449) over the token, the body and the request id. So no nonces
 * are needed.
 */

import * as v from 'valibot'
import { appId, thumbprint } from '../entities/primitives.ts'
import { walletAddress } from '../entities/wallets/wallet-address.ts'
import { product } from '../names/product.ts'
import { signedDigest } from './confirmed.ts'
import { operationStepSchema, sealingKey } from './operations.ts'
import { walletPurposeSchema } from './purposes.ts'

/** The `typ` of a statement, which separates it from other tokens signed by a browser key. */
export const deviceStatementType = `${product.key}-device+jwt`

/** `login`: the signing key is the device of the session that this login starts or started. */
export const statementPurposeSchema = v.union([v.literal('login'), walletPurposeSchema])
export type StatementPurpose = v.InferOutput<typeof statementPurposeSchema>

/** The caller's input to a statement. The vault adds the app and the operation key itself. */
export const statementInputSchema = v.object({
  purpose: statementPurposeSchema,
  operation: operationStepSchema,
  /** The wallet of the step, or null for purposes without a wallet. */
  address: v.nullable(walletAddress),
  /** The digest that the user confirmed, or null if no approval was needed. */
  digest: v.nullable(signedDigest),
  /** The thumbprint of the session's dialog key. The statement is useless with another dialog's key. */
  dialogKey: thumbprint,
})
export type StatementInput = v.InferOutput<typeof statementInputSchema>

/** The JWS payload of a statement (ES256, public key in the header). */
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
