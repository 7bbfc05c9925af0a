/**
 * The wallet frame and a page of its origin that stands beside it in the dialog. The frame has the network, the page
 * has what it shows to the user or takes from them, and no network. The browser vouches for both: the channel takes
 * messages of this very origin and of the one window that was found at the page's address.
 */
import { appId, chainTypes, evmAddress, id, walletLimits } from '@latchkey/protocol'
import type { Contract, Hears, ServedBy } from '@latchkey/protocol/channel'
import { operationStepSchema, sealedShareSchema, sealingKey, shareKinds } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs } as const

/** `parent` is the wallet frame, `child` a page, which serves what it is for. */
export const pageContract = {
  name: 'wallet-page',
  parent: {},
  child: {
    begin: call,
    /** Of the page that shows a key: what was released for it. */
    open: call,
    /** Of the page that takes one: waits for its user. */
    key: { policy: 'dialog-only' },
    seal: call,
  },
} as const satisfies Contract

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

export const heardOfPages = {
  calls: {},
  answers: {
    begin: v.object({ publicKey: sealingKey }),
    open: v.object({}),
    key: v.object({ address: evmAddress }),
    seal: v.object({ key: sealedShareSchema }),
  },
} as const satisfies Hears
export type HeardOfPages = typeof heardOfPages

/** Of whichever page it is. */
export type HeardByPages = {
  readonly calls: HeardByExportPage['calls'] & HeardByImportPage['calls']
  readonly answers: HeardByExportPage['answers']
}
export type PageCalls = ServedBy<HeardByPages, HeardOfPages>
