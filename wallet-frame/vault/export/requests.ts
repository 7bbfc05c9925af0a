/** What the vault of the export page hears. It has no other use: a wallet's own vault gives no key away. */
import { appId, id } from '@latchkey/protocol'
import { operationStepSchema, sealedShareSchema, statedSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { wallet } from '../requests.ts'
import { stopSchema } from '../stop.ts'

export const exportInputs = {
  /** Makes the key that the release is sealed to. */
  begin: v.strictObject({}),
  /** Signs for the server that the release is to be sealed to this key. */
  state: v.strictObject({ ...statedSchema.entries, purpose: v.literal('export'), appId, userId: id }),
  /** Takes up what was released, for a while; the wallet's secret is combined when something is shown. */
  open: v.strictObject({ wallet, operation: operationStepSchema, auth: sealedShareSchema }),
  /** What the user asked to see. */
  show: v.strictObject({ form: v.picklist(['key', 'phrase']) }),
  stop: stopSchema,
} as const
export type ExportInputs = typeof exportInputs
