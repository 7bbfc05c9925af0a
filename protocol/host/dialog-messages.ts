/** Messages that the dialog accepts from a host page. Validated strictly, because host pages are untrusted. */
import * as v from 'valibot'
import type { ReceivedMessages } from '../channel/contract.ts'
import { clientConfigSchema } from '../entities/client-config.ts'
import { text } from '../entities/primitives.ts'
import { openedPageHandle } from '../windows/open-window.ts'

const empty = v.object({})
/** Whether the page has a login of its own. The dialog then requests its tokens. */
const hasHostLogin = v.optional(v.boolean())
const colorScheme = v.picklist(['light', 'dark', 'normal'])
/** Part of the host page's URL, which may have any length. If it is too long, it is ignored. */
const fromAddress = v.fallback(v.optional(text), undefined)
/** Names of calls and capabilities. Unknown names are accepted. */
const names = v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(64))

/** The call's row in `capability-calls.ts` validates its data. */
const anyCall = v.object({ call: v.string(), data: v.unknown() })
/** `window`: the handle of the window that the page opened for this call. */
const callForUser = v.object({ ...anyCall.entries, window: v.exactOptional(openedPageHandle) })

/** The host's visible viewport and safe areas. */
const hostViewportSchema = v.object({
  heightPx: v.number(),
  offsetTopPx: v.number(),
  /** The page's URL, to return to after a redirect login. */
  address: fromAddress,
  insets: v.object({ top: v.number(), right: v.number(), bottom: v.number(), left: v.number() }),
})
export type HostViewport = v.InferOutput<typeof hostViewportSchema>

/** A wallet extension of the host page, as it announces itself. */
const hostWalletSchema = v.object({
  id: text,
  name: text,
  /** Reverse domain name, such as `io.metamask`. Absent for a plain `window.ethereum`. */
  rdns: v.exactOptional(text),
  icon: v.exactOptional(v.pipe(v.string(), v.startsWith('data:image/'))),
})
export type HostWallet = v.InferOutput<typeof hostWalletSchema>
export const hostWalletsSchema = v.object({ wallets: v.pipe(v.array(hostWalletSchema), v.maxLength(64)) })

/** The wallet's own error, with codes of https://eips.ethereum.org/EIPS/eip-1193#provider-errors. */
const walletRefusal = v.object({
  code: v.nullable(v.number()),
  message: v.string(),
  data: v.exactOptional(v.unknown()),
})

export const dialogMessages = {
  calls: {
    hello: v.object({
      protocol: v.number(),
      loader: text,
      /** The loader's capabilities, so that a later dialog does not use missing ones. */
      capabilities: names,
      config: clientConfigSchema,
      colorScheme,
      hasHostLogin,
      /** The product's query parameters of the host page's URL. */
      parameters: fromAddress,
    }),
    configure: v.object({ config: clientConfigSchema, colorScheme, hasHostLogin }),
    viewport: hostViewportSchema,
    login: empty,
    logout: empty,
    user: empty,
    accessToken: empty,
    more: anyCall,
    read: anyCall,
    moreForUser: callForUser,
  },
  answers: {
    show: v.object({ viewport: hostViewportSchema }),
    hide: empty,
    event: empty,
    walletRequest: v.union([v.object({ result: v.unknown() }), v.object({ refused: walletRefusal })]),
  },
} as const satisfies ReceivedMessages
export type DialogMessages = typeof dialogMessages
export type HostWallets = v.InferOutput<typeof hostWalletsSchema>
export type WalletAnswer = v.InferOutput<DialogMessages['answers']['walletRequest']>
