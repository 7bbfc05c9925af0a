/**
 * The wallet frame and the import page, which stands beside it in the dialog. The frame has the network, the page has the
 * key that it takes from its user, and no network. The browser vouches for both: the channel takes messages of this very
 * origin and of the one window that was found at the page's address.
 */
import { evmAddress, walletLimits } from '@latchkey/protocol'
import type { Contract, ReceivedMessages } from '@latchkey/protocol/channel'
import { operationStepSchema, sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs } as const

/** `parent` is the wallet frame. */
export const importPageContract = {
  name: 'wallet-page',
  parent: {},
  child: {
    begin: call,
    /** Waits for its user. */
    key: { policy: 'dialog-only' },
    seal: call,
  },
} as const satisfies Contract

export const frameMessages = {
  calls: {},
  answers: {
    begin: v.object({ publicKey: sealingKey }),
    key: v.object({ address: evmAddress }),
    seal: v.object({ key: sealedShareSchema }),
  },
} as const satisfies ReceivedMessages
export const importPageMessages = {
  calls: {
    begin: v.object({}),
    key: v.object({ privateKey: v.exactOptional(sealedShareSchema) }),
    seal: v.object({ vaultKey: sealingKey, operation: operationStepSchema }),
  },
  answers: {},
} as const satisfies ReceivedMessages

export type FrameMessages = typeof frameMessages
export type ImportPageMessages = typeof importPageMessages
