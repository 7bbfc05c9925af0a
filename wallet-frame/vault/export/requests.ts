/** What the vault of the export page hears. It has no other use: a wallet's own vault gives no key away. */
import { operationStepSchema, sealedShareSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { wallet } from '../requests.ts'
import { stopSchema } from '../stop.ts'

export const exportInputs = {
  /** Makes the key that the release is sealed to. */
  begin: v.strictObject({}),
  /** Combines the wallet's secret and keeps it, for a while. */
  open: v.strictObject({ wallet, operation: operationStepSchema, auth: sealedShareSchema }),
  /** What the user asked to see. */
  show: v.strictObject({ form: v.picklist(['key', 'phrase']) }),
  stop: stopSchema,
} as const
export type ExportInputs = typeof exportInputs
