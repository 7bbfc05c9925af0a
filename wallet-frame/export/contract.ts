/**
 * The wallet frame and the window in which a user sees the key of their wallet, which finds it by the handle in its
 * address (`pages/handshake/hello.ts`). The frame has the network, the window has a vault of its own and no network: what goes to
 * that vault is sealed, and nothing of the wallet comes back.
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
    /** The window is there, with a vault of this key: answered with the wallet that it is about. */
    begin: call,
  },
  child: {
    /** Asks the user whether they want to see the key, which the digest says. */
    confirm: { policy: 'dialog-only' },
    /** Both shares, for the vault of the window. */
    open: call,
    /** Ends the window: the user starts again in the app. */
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
