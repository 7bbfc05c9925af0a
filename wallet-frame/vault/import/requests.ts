/** The requests that the import page sends to its vault. */
import { operationStepSchema, sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { stopSchema } from '../stop.ts'

export const importInputs = {
  /** Makes the key pair that a key of a host is sealed to. */
  begin: v.strictObject({}),
  /** The text that the user typed, in UTF-8; wiped when it was read. */
  take: v.strictObject({ text: v.instance(Uint8Array) }),
  /** The text that a host brought. */
  takeSealed: v.strictObject({ privateKey: sealedShareSchema }),
  /** The user has another one. */
  forget: v.strictObject({}),
  /** Seals the key that was taken for a step of the wallet's vault, once: it is gone then. */
  seal: v.strictObject({ vaultKey: sealingKey, operation: operationStepSchema }),
  stop: stopSchema,
} as const
export type ImportInputs = typeof importInputs
