/** Requests that the import page sends to its vault. */
import { evmAddress } from '@latchkey/protocol'
import { operationStepSchema, sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { stopSchema } from '../stop.ts'

export const importInputs = {
  /** Creates the key pair to which a host page's key is sealed. */
  begin: v.strictObject({}),
  /** Reads the typed text and the passphrase of a seed phrase, both in UTF-8, and wipes them. */
  take: v.strictObject({
    text: v.instance(Uint8Array),
    passphrase: v.exactOptional(v.instance(Uint8Array)),
  }),
  /** Reads the key that a host page imports. */
  takeSealed: v.strictObject({ privateKey: sealedShareSchema }),
  /** Records that the user agreed to this address, and wipes the other accounts of a seed phrase. */
  agree: v.strictObject({ address: evmAddress }),
  /** Wipes the key, because the user wants to enter another one. */
  forget: v.strictObject({}),
  /** Seals the accepted key for a step of the wallet frame's vault, and wipes it here. */
  seal: v.strictObject({ vaultKey: sealingKey, operation: operationStepSchema }),
  stop: stopSchema,
} as const
export type ImportInputs = typeof importInputs
