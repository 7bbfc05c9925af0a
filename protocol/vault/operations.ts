/** Vault operations: their steps and keys. */
import * as v from 'valibot'
import { base64url, id } from '../entities/primitives.ts'

/** Steps are numbered from 1, in ascending order. */
export const operationStepSchema = v.object({
  id,
  step: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(99)),
})
export type OperationStep = v.InferOutput<typeof operationStepSchema>

/** An uncompressed P-256 point: 65 bytes. */
export const sealingKey = v.pipe(base64url, v.length(87))

/** The public key of a vault operation, and the step that the token is requested for. */
export const vaultKeySchema = v.object({ publicKey: sealingKey, operation: operationStepSchema })
export type VaultKey = v.InferOutput<typeof vaultKeySchema>
