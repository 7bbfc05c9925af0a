/**
 * The wallet frame and a page of its origin that stands beside it in the dialog. The frame has the network, the page
 * has what it shows to the user, and no network. The browser vouches for both: the channel takes messages of this
 * very origin and of the one window that was found at the page's address.
 */
import { appId, evmAddress, id, walletLimits } from '@latchkey/protocol'
import type { Contract, Hears, ServedBy } from '@latchkey/protocol/channel'
import {
  chainTypes,
  operationStepSchema,
  sealedShareSchema,
  sealingKey,
  shareKinds,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs } as const

/** `parent` is the wallet frame, `child` the page. */
export const exportContract = {
  name: 'wallet-export',
  parent: {},
  child: { begin: call, open: call },
} as const satisfies Contract

const wallet = v.object({
  appId,
  userId: id,
  walletId: id,
  kind: v.picklist(shareKinds),
  chain: v.picklist(chainTypes),
  generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  address: evmAddress,
})

export const heardByExportPage = {
  calls: {
    begin: v.object({}),
    open: v.object({ wallet, operation: operationStepSchema, auth: sealedShareSchema }),
  },
  answers: {},
} as const satisfies Hears
export type HeardByExportPage = typeof heardByExportPage

export const heardOfExportPage = {
  calls: {},
  answers: { begin: v.object({ publicKey: sealingKey }), open: v.object({}) },
} as const satisfies Hears
export type HeardOfExportPage = typeof heardOfExportPage

export type ExportPageCalls = ServedBy<HeardByExportPage, HeardOfExportPage>
