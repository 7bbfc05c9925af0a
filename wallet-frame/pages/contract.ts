/**
 * The wallet frame and a page of its origin that stands beside it in the dialog. The frame has the network, the page
 * has what it shows to the user or takes from them, and no network. The browser vouches for both: the channel takes
 * messages of this very origin and of the one window that was found at the page's address.
 */
import { evmAddress, text, walletLimits } from '@latchkey/protocol'
import type { Contract, Hears, ServedBy } from '@latchkey/protocol/channel'
import { sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { HeardByPages } from './heard-by-pages.ts'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs } as const

/** `parent` is the wallet frame, `child` a page, which serves what it is for. */
export const pageContract = {
  name: 'wallet-page',
  parent: {},
  child: {
    begin: call,
    /** Of the page that shows a key: what the server is told of its vault. */
    state: call,
    /** Of the page that shows a key: what was released for it. */
    open: call,
    /** Of the page that takes one: waits for its user. */
    key: { policy: 'dialog-only' },
    seal: call,
  },
} as const satisfies Contract

export const heardOfPages = {
  calls: {},
  answers: {
    begin: v.object({ publicKey: sealingKey }),
    state: v.object({ statement: text }),
    open: v.object({}),
    key: v.object({ address: evmAddress }),
    seal: v.object({ key: sealedShareSchema }),
  },
} as const satisfies Hears
export type HeardOfPages = typeof heardOfPages

export type PageCalls = ServedBy<HeardByPages, HeardOfPages>
