/** What the connector needs of WalletConnect, and all that it knows of it. */

/** Each attempt to connect has a link of its own: it carries one session at most, and nothing of it is stored. */
export type Link = {
  readonly propose: (chainIds: readonly number[]) => Promise<Proposal>
  /** The session as it is now; undefined before it is approved, and once either side has ended it. */
  readonly session: () => RelaySession | undefined
  readonly request: (call: RelayCall) => Promise<unknown>
  /** Tells the wallet that what was proposed, or agreed, is over. */
  readonly end: () => Promise<void>
  /** The listener is told once that the relay refuses this app. */
  readonly onRefused: (listener: (why: string) => void) => void
  readonly close: () => void
}

export type Proposal = {
  /** A phone joins by this address. */
  readonly uri: string
  /** Rejects with `{ code, message }` of the wallet. */
  readonly approved: Promise<RelaySession>
}

export type RelaySession = {
  readonly accounts: readonly RelayAccount[]
  readonly methods: readonly string[]
  readonly walletName: string
  /** Where the wallet says that its app opens on a phone. */
  readonly appLink: string | undefined
}

export type RelayAccount = { readonly chainId: number; readonly address: string }

export type RelayCall = {
  readonly chainId: number
  readonly method: string
  readonly params: readonly unknown[]
  readonly deadlineSeconds: number
}

export type LinkSettings = {
  readonly appId: string
  readonly projectId: string
  readonly relayUrl: string
  /** What the wallet shows of who asks. */
  readonly asker: { readonly name: string; readonly url: string; readonly icon: string | undefined }
}

export type OpenLink = (settings: LinkSettings) => Promise<Link>
