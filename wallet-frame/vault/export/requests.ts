/** Requests of the export window's vault. Only this vault exports a key; the wallet frame's vault cannot. */
import { operationStepSchema, sealedShareSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { wallet } from '../requests.ts'
import { stopSchema } from '../stop.ts'

export const exportInputs = {
  /** Creates the key pair to which the release is sealed. */
  begin: v.strictObject({}),
  /**
   * Opens both shares for testing and holds them sealed until a deadline. The secret is combined only by
   * `show`.
   */
  open: v.strictObject({
    wallet,
    operation: operationStepSchema,
    auth: sealedShareSchema,
    device: sealedShareSchema,
  }),
  /** Returns the secret in the form that the user chose. */
  show: v.strictObject({ form: v.picklist(['key', 'phrase']) }),
  stop: stopSchema,
} as const
export type ExportInputs = typeof exportInputs
