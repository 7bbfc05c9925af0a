/** The wallet frame and the page of confirmations, which finds it with the handle of its request (`pages/handshake/hello.ts`). */
import { text, walletLimits } from '@latchkey/protocol'
import type { Contract, ReceivedMessages } from '@latchkey/protocol/channel'
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

export const frameMessages = {
  calls: { request: v.object({}), approve: v.object({ digest: signedDigest }) },
  answers: {},
} as const satisfies ReceivedMessages
export const confirmPageMessages = {
  calls: {},
  answers: { request: v.object({ handle: confirmationHandle }), approve: v.object({ statement: text }) },
} as const satisfies ReceivedMessages

export type FrameMessages = typeof frameMessages
export type ConfirmPageMessages = typeof confirmPageMessages

export const confirmPath = (appId: string) => `/apps/${appId}/confirm`
