/**
 * The wallet frame and a page of its origin that stands beside it in the dialog. The frame has the network, the page
 * has the key that it takes from its user, and no network. The browser vouches for both: the channel takes
 * messages of this very origin and of the one window that was found at the page's address.
 */
import { evmAddress, walletLimits } from '@latchkey/protocol'
import type { Contract, Hears, ServedBy } from '@latchkey/protocol/channel'
import { sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { HeardByImportPage } from './heard-by-pages.ts'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs } as const

/** `parent` is the wallet frame, `child` a page, which serves what it is for. */
export const pageContract = {
  name: 'wallet-page',
  parent: {},
  child: {
    begin: call,
    /** Waits for its user. */
    key: { policy: 'dialog-only' },
    seal: call,
  },
} as const satisfies Contract

export const heardOfPages = {
  calls: {},
  answers: {
    begin: v.object({ publicKey: sealingKey }),
    key: v.object({ address: evmAddress }),
    seal: v.object({ key: sealedShareSchema }),
  },
} as const satisfies Hears
export type HeardOfPages = typeof heardOfPages

export type PageCalls = ServedBy<HeardByImportPage, HeardOfPages>
