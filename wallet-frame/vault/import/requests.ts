/** What the vault of the import page hears. */
import { sealedShareSchema, serverSealingKeySchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { line } from '../requests.ts'
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
  /** Splits the key that was taken, once: it is gone then. */
  make: v.strictObject({ line, serverKey: serverSealingKeySchema }),
  stop: stopSchema,
} as const
export type ImportInputs = typeof importInputs
