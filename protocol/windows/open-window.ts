/**
 * The button that opens a window of the wallet origin. A page of that origin draws it in a frame of the button's size
 * and opens the window in its own click. So neither the dialog nor the host gets a reference to the window.
 */
import * as v from 'valibot'
import { base64url } from '../entities/primitives.ts'
import { product } from '../names/product.ts'

/** The end of the page's path, like `walletPages`. */
export const openWindowPage = 'open-window'

/** The pages that the button can open, by the end of their path. */
export const openedPages = ['confirm', 'recovery', 'embedded-wallets/export'] as const
export type OpenedPage = (typeof openedPages)[number]

/** URL parameters of the button's page. The labels are untrusted button texts. The fragment is the window's handle. */
export const openWindowParameters = v.object({
  page: v.picklist(openedPages),
  label: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  /** The label after the first click. */
  again: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
})
export type OpenWindowParameters = v.InferOutput<typeof openWindowParameters>

/** 32 random bytes. */
export const openedPageHandle = v.pipe(base64url, v.length(43))

/**
 * The prefix of a window name in the fragment, instead of a handle. The host's loader opened that window by name in its
 * own click, and the wallet frame looks up the handle. The URL contains no request data except the address of a wallet
 * to export.
 */
export const namedByHost = 'w.'

/** `unknown`: no window was opened, or the host's opener policy isolates it. Browsers do not distinguish the two. */
export const windowStates = ['open', 'unknown', 'closed'] as const
export type OpenedWindowState = (typeof windowStates)[number]

/**
 * Messages of the button's page. `drawn`: the button is ready. `escape`: Escape was pressed in the button's frame,
 * where the card receives no key events.
 */
export const windowMessage = v.object({
  type: v.literal(`${product.eventPrefix}window`),
  handle: openedPageHandle,
  state: v.picklist([...windowStates, 'drawn', 'escape']),
})
export type WindowMessage = v.InferOutput<typeof windowMessage>
