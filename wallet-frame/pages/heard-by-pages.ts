/** What the two pages take from the wallet frame. Apart from the contract: the frame itself parses none of it. */
import { appId, chainTypes, evmAddress, id } from '@latchkey/protocol'
import type { Hears } from '@latchkey/protocol/channel'
import {
  operationStepSchema,
  sealedShareSchema,
  sealingKey,
  shareKinds,
  statedSchema,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'

const line = v.object({
  appId,
  userId: id,
  walletId: id,
  kind: v.picklist(shareKinds),
  chain: v.picklist(chainTypes),
  generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
})
const begin = v.object({})

export const heardByExportPage = {
  calls: {
    begin,
    state: v.object({ ...statedSchema.entries, purpose: v.literal('export'), appId, userId: id }),
    open: v.object({
      wallet: v.object({ ...line.entries, address: evmAddress }),
      operation: operationStepSchema,
      auth: sealedShareSchema,
    }),
  },
  answers: {},
} as const satisfies Hears
export type HeardByExportPage = typeof heardByExportPage

export const heardByImportPage = {
  calls: {
    begin,
    key: v.object({ privateKey: v.exactOptional(sealedShareSchema) }),
    seal: v.object({ vaultKey: sealingKey, operation: operationStepSchema }),
  },
  answers: {},
} as const satisfies Hears
export type HeardByImportPage = typeof heardByImportPage

/** Of whichever page it is. */
export type HeardByPages = {
  readonly calls: HeardByExportPage['calls'] & HeardByImportPage['calls']
  readonly answers: HeardByExportPage['answers']
}
