/**
 * The button on a card that opens a window of the wallet's origin. A page of that origin draws it, in a frame as large as
 * the button, and opens the window in its own click: so neither the dialog nor the host around it ever holds that window.
 */
import * as v from 'valibot'
import { base64url } from '../entities/primitives.ts'
import { product } from '../names/product.ts'

/** By the end of its path, as `walletPages`. */
export const openWindowPage = 'open-window'

/** Which page it opens, by the end of its path. */
export const openedPages = ['confirm', 'recovery', 'embedded-wallets/export'] as const
export type OpenedPage = (typeof openedPages)[number]

/**
 * What the dialog writes into its address. The labels are only words on a button, which the dialog could draw as well.
 * What follows the `#` is the handle of the window.
 */
export const openWindowParameters = v.object({
  page: v.picklist(openedPages),
  label: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  /** Once it has opened one. */
  again: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
})
export type OpenWindowParameters = v.InferOutput<typeof openWindowParameters>

/** 32 random bytes. */
export const openedPageHandle = v.pipe(base64url, v.length(43))

/**
 * Before the `#` stands nothing of a request (only the address of a wallet to export), and after it the handle of the page; or this and a name, of a page that the
 * host's loader opened in the click that asked: the host gives it that name, and the wallet frame the handle.
 */
export const namedByHost = 'w.'

/** `unknown`: none came, or the host's opener policy cuts it off; a browser does not tell these apart. */
export const windowStates = ['open', 'unknown', 'closed'] as const
export type OpenedWindowState = (typeof windowStates)[number]

/**
 * What the page tells the dialog that frames it. `drawn`: the button is there. `escape`: the key was pressed there, where
 * the card hears no keys.
 */
export const windowMessage = v.object({
  type: v.literal(`${product.eventPrefix}window`),
  handle: openedPageHandle,
  state: v.picklist([...windowStates, 'drawn', 'escape']),
})
export type WindowMessage = v.InferOutput<typeof windowMessage>
