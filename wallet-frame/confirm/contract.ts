/** The wallet frame and the page of confirmations, which finds it with the handle of its request (`pages/hello.ts`). */
import { text, walletLimits } from '@latchkey/protocol'
import type { Contract, Hears } from '@latchkey/protocol/channel'
import { confirmationHandle, signedDigest } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

/** `parent` is the wallet frame, which has a vault. */
export const confirmContract = {
  name: 'wallet-confirm',
  parent: {
    /** What the page is to show, which one that the host's loader opened is not told by its address. */
    request: { policy: 'dialog-only', deadlineMs: walletLimits.callMs },
    /** The user has approved what the page has shown: answered once, for the digest that was offered. */
    approve: { policy: 'dialog-only', deadlineMs: walletLimits.callMs },
  },
  child: {},
} as const satisfies Contract

export const heardByFrame = {
  calls: { request: v.object({}), approve: v.object({ digest: signedDigest }) },
  answers: {},
} as const satisfies Hears
export const heardByConfirmPage = {
  calls: {},
  answers: { request: v.object({ handle: confirmationHandle }), approve: v.object({ statement: text }) },
} as const satisfies Hears

export type HeardByFrame = typeof heardByFrame
export type HeardByConfirmPage = typeof heardByConfirmPage

export const confirmPath = (appId: string) => `/apps/${appId}/confirm`
