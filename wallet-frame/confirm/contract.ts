/**
 * The wallet frame and the page of confirmations, which stands in a window of its own, above which is nobody. The page
 * says hello with the handle of its request to the frames that it finds by its opener; the one to which the dialog
 * offered this request answers, once, and from then on they speak over a channel. The browser vouches for both: each
 * takes messages of this very origin and of the one window alone.
 */
import { product, text, walletLimits } from '@latchkey/protocol'
import type { Contract, Hears } from '@latchkey/protocol/channel'
import { confirmationHandle, signedDigest } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

/** `parent` is the wallet frame, which has a vault. */
export const confirmContract = {
  name: 'wallet-confirm',
  parent: {
    /** The user has approved what the page has shown: answered once, for the digest that was offered. */
    approve: { policy: 'dialog-only', deadlineMs: walletLimits.callMs },
  },
  child: {},
} as const satisfies Contract

export const heardByFrame = {
  calls: { approve: v.object({ digest: signedDigest }) },
  answers: {},
} as const satisfies Hears
export const heardByConfirmPage = {
  calls: {},
  answers: { approve: v.object({ statement: text }) },
} as const satisfies Hears

export type HeardByFrame = typeof heardByFrame
export type HeardByConfirmPage = typeof heardByConfirmPage

const hello = `${product.key}:confirm:hello`
const here = `${product.key}:confirm:here`
const messageSchema = v.object({ type: v.picklist([hello, here]), handle: confirmationHandle })

export const helloOf = (handle: string) => ({ type: hello, handle })
export const hereOf = (handle: string) => ({ type: here, handle })

/** The handle of a message of this kind; undefined for every other message. */
export function handleIn(data: unknown, said: typeof hello | typeof here): string | undefined {
  const message = v.safeParse(messageSchema, data)
  return message.success && message.output.type === said ? message.output.handle : undefined
}
export const confirmMessages = { hello, here } as const

export const confirmPath = (appId: string) => `/apps/${appId}/confirm`
