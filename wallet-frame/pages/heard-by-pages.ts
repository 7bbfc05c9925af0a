/** What the page that takes a key hears of the wallet frame. Apart from the contract: the frame itself parses none of it. */
import type { Hears } from '@latchkey/protocol/channel'
import { operationStepSchema, sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

export const heardByImportPage = {
  calls: {
    begin: v.object({}),
    key: v.object({ privateKey: v.exactOptional(sealedShareSchema) }),
    seal: v.object({ vaultKey: sealingKey, operation: operationStepSchema }),
  },
  answers: {},
} as const satisfies Hears
export type HeardByImportPage = typeof heardByImportPage
