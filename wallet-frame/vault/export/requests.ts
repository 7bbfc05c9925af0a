/** What the vault of the export window hears. It has no other use: a wallet's own vault gives no key away. */
import { operationStepSchema, sealedShareSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { wallet } from '../requests.ts'
import { stopSchema } from '../stop.ts'

export const exportInputs = {
  /** Makes the key that the release is sealed to. */
  begin: v.strictObject({}),
  /** Takes up both shares, for a while; the wallet's secret is combined when something is shown. */
  open: v.strictObject({
    wallet,
    operation: operationStepSchema,
    auth: sealedShareSchema,
    device: sealedShareSchema,
  }),
  /** The form of the secret that the user asked to see. */
  show: v.strictObject({ form: v.picklist(['key', 'phrase']) }),
  stop: stopSchema,
} as const
export type ExportInputs = typeof exportInputs
