/**
 * The channel between the wallet frame and the confirmation page, which finds the frame by its request's
 * handle (`pages/handshake/hello.ts`).
 */
import { text, walletLimits } from '@latchkey/protocol'
import type { Contract, ReceivedMessages } from '@latchkey/protocol/channel'
import { confirmationHandle, signedDigest } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

/** `parent` is the wallet frame, which has the vault. */
export const confirmContract = {
  name: 'wallet-confirm',
  parent: {
    /** Returns the handle of the request, for a page that the host's loader opened without it. */
    request: { policy: 'dialog-only', deadlineMs: walletLimits.callMs },
    /**
     * Reports that the user approved the shown request. Returns a statement, once, for the offered digest
     * only.
     */
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
