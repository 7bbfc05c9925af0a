/**
 * The channel between the wallet frame and the export window, which shows a key to its user. The window finds
 * the frame by the handle in its URL (`pages/handshake/hello.ts`). The frame has network access; the window
 * has its own vault and no network. Data for that vault is sealed, and no wallet data is returned.
 */
import { appId, chainTypes, evmAddress, id, walletLimits } from '@latchkey/protocol'
import type { Contract, ReceivedMessages } from '@latchkey/protocol/channel'
import {
  exportProblemSchema,
  operationStepSchema,
  sealedShareSchema,
  sealingKey,
  shareKinds,
  signedDigest,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs } as const

/** `parent` is the wallet frame. */
export const exportWindowContract = {
  name: 'wallet-export-window',
  parent: {
    /** Reports the window and its vault's key. Returns the wallet to export. */
    begin: call,
  },
  child: {
    /** Asks the user to approve the export, which the digest identifies. */
    confirm: { policy: 'dialog-only' },
    /** Passes both shares to the window's vault. */
    open: call,
    /** Ends the window: the user must start again in the app. */
    over: call,
  },
} as const satisfies Contract

const nothing = v.object({})

export const frameMessages = {
  calls: { begin: v.object({ publicKey: sealingKey }) },
  answers: { confirm: nothing, open: nothing, over: nothing },
} as const satisfies ReceivedMessages

const wallet = v.object({
  appId,
  userId: id,
  walletId: id,
  kind: v.picklist(shareKinds),
  chain: v.picklist(chainTypes),
  generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  address: evmAddress,
})

export const windowMessages = {
  calls: {
    confirm: v.object({ digest: signedDigest }),
    open: v.object({
      wallet,
      operation: operationStepSchema,
      auth: sealedShareSchema,
      device: sealedShareSchema,
    }),
    over: exportProblemSchema,
  },
  answers: { begin: v.object({ address: evmAddress }) },
} as const satisfies ReceivedMessages

export type FrameMessages = typeof frameMessages
export type WindowMessages = typeof windowMessages
