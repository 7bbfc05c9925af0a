/**
 * The channel between the wallet frame and the import page, which the dialog shows next to it. The frame has
 * network access and no key; the page has the key and no network. The channel only accepts messages of this
 * origin from the window that was found at the page's URL.
 */
import { evmAddress, LatchkeyError, type WalletInlineConfig, walletLimits } from '@latchkey/protocol'
import type { Contract, ReceivedMessages } from '@latchkey/protocol/channel'
import { operationStepSchema, sealedShareSchema, sealingKey, signedDigest } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs } as const

/** `parent` is the wallet frame. */
export const importPageContract = {
  name: 'wallet-page',
  parent: {},
  child: {
    begin: call,
    /** Resolves when the user has accepted an address. */
    key: { policy: 'dialog-only' },
    /** Resolves if the digest names the import of that address. */
    confirm: call,
    seal: call,
  },
} as const satisfies Contract

export const frameMessages = {
  calls: {},
  answers: {
    begin: v.object({ publicKey: sealingKey }),
    key: v.object({ address: evmAddress }),
    confirm: v.object({}),
    seal: v.object({ key: sealedShareSchema }),
  },
} as const satisfies ReceivedMessages
export const importPageMessages = {
  calls: {
    begin: v.object({}),
    key: v.object({ privateKey: v.exactOptional(sealedShareSchema) }),
    confirm: v.object({ digest: signedDigest }),
    seal: v.object({ vaultKey: sealingKey, operation: operationStepSchema }),
  },
  answers: {},
} as const satisfies ReceivedMessages

export type FrameMessages = typeof frameMessages
export type ImportPageMessages = typeof importPageMessages

/**
 * Throws if the app does not allow host pages to import keys. The server writes this setting into both pages,
 * so the dialog cannot change it.
 */
export function requireHostKeyImport({ hostKeyImport }: Pick<WalletInlineConfig, 'hostKeyImport'>): void {
  if (hostKeyImport) return
  throw new LatchkeyError('not_supported', 'This app accepts no private key from the host page')
}
