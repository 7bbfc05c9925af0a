/** What the dialog takes from a host's page, to the letter: it trusts no page. */
import * as v from 'valibot'
import type { ReceivedMessages } from '../channel/contract.ts'
import { clientConfigSchema } from '../entities/client-config.ts'
import { text } from '../entities/primitives.ts'
import { openedPageHandle } from '../windows/open-window.ts'

const empty = v.object({})
const colorScheme = v.picklist(['light', 'dark', 'normal'])
/** Of the address of a host's page, which may be of any length: one that is too long goes unheard, and refuses nothing. */
const fromAddress = v.fallback(v.optional(text), undefined)
/** Names of calls and of abilities; one that this dialog does not know is no error. */
const names = v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(64))

/** The row of the call in `capability-calls.ts` parses its data. */
const anyCall = v.object({ call: v.string(), data: v.unknown() })
/** `window`: that the page has opened for it, by the name that it gave it. */
const callForUser = v.object({ ...anyCall.entries, window: v.exactOptional(openedPageHandle) })

/** Where the host's own view ends: what the dialog must keep clear of. */
const hostViewportSchema = v.object({
  heightPx: v.number(),
  offsetTopPx: v.number(),
  /** Where the page stands, so that whatever takes a login elsewhere comes back to it. */
  address: fromAddress,
  insets: v.object({ top: v.number(), right: v.number(), bottom: v.number(), left: v.number() }),
})
export type HostViewport = v.InferOutput<typeof hostViewportSchema>

/** A wallet that an extension put into the host's page, as it describes itself. */
const hostWalletSchema = v.object({
  id: text,
  name: text,
  /** Reverse domain name, such as `io.metamask`; none of one that is only `window.ethereum`. */
  rdns: v.exactOptional(text),
  icon: v.exactOptional(v.pipe(v.string(), v.startsWith('data:image/'))),
})
export type HostWallet = v.InferOutput<typeof hostWalletSchema>
export const hostWalletsSchema = v.object({ wallets: v.pipe(v.array(hostWalletSchema), v.maxLength(64)) })

/** What the wallet itself said, in the codes of https://eips.ethereum.org/EIPS/eip-1193#provider-errors. */
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
      /** What this loader serves, so that a later dialog asks an older one for nothing that it lacks. */
      capabilities: names,
      config: clientConfigSchema,
      colorScheme,
      /** What of the address of the host's page begins with our name, as a query. */
      parameters: fromAddress,
    }),
    configure: v.object({ config: clientConfigSchema, colorScheme }),
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
