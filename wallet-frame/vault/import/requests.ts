/** The requests that the import page sends to its vault. */
import { operationStepSchema, sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { stopSchema } from '../stop.ts'

export const importInputs = {
  /** Makes the key pair that a key of a host is sealed to. */
  begin: v.strictObject({}),
  /** The text that the user typed, in UTF-8, and the passphrase of a seed phrase; wiped when they were read. */
  take: v.strictObject({
    text: v.instance(Uint8Array),
    passphrase: v.exactOptional(v.instance(Uint8Array)),
  }),
  /** The text that a host brought. */
  takeSealed: v.strictObject({ privateKey: sealedShareSchema }),
  /** Keeps the key of one account of a seed phrase and wipes the others. */
  choose: v.strictObject({ account: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  /** The user has another one. */
  forget: v.strictObject({}),
  /** Seals the key that was taken for a step of the wallet's vault, once: it is gone then. */
  seal: v.strictObject({ vaultKey: sealingKey, operation: operationStepSchema }),
  stop: stopSchema,
} as const
export type ImportInputs = typeof importInputs
