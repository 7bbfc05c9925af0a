/** The requests that the import page sends to its vault. */
import { evmAddress } from '@latchkey/protocol'
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
  /** Records that the user agreed to this address, and wipes the other accounts of a seed phrase. */
  agree: v.strictObject({ address: evmAddress }),
  /** The user has another one. */
  forget: v.strictObject({}),
  /** Seals the key that the user agreed to for a step of the wallet's vault. The key is wiped here. */
  seal: v.strictObject({ vaultKey: sealingKey, operation: operationStepSchema }),
  stop: stopSchema,
} as const
export type ImportInputs = typeof importInputs
