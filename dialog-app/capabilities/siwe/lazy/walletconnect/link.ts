/** What the connector needs of WalletConnect, and all that it knows of it. */

/** Each attempt to connect has a link of its own: it carries one session at most, and nothing of it is stored. */
export type Link = {
  propose: (chainIds: readonly number[]) => Promise<Proposal>
  /** The session as it is now; undefined before it is approved, and once either side has ended it. */
  session: () => RelaySession | undefined
  request: (call: RelayCall) => Promise<unknown>
  /** Tells the wallet that what was proposed, or agreed, is over. */
  end: () => Promise<void>
  /** The listener is told once that the relay refuses this app. */
  onRefused: (listener: (why: string) => void) => void
  close: () => void
}

export type Proposal = {
  /** A phone joins by this address. */
  uri: string
  /** Rejects with `{ code, message }` of the wallet. */
  approved: Promise<RelaySession>
}

export type RelaySession = {
  accounts: readonly RelayAccount[]
  methods: readonly string[]
  walletName: string
  /** Where the wallet says that its app opens on a phone. */
  appLink: string | undefined
}

export type RelayAccount = { chainId: number; address: string }

export type RelayCall = {
  chainId: number
  method: string
  params: readonly unknown[]
  deadlineSeconds: number
}

export type LinkSettings = {
  appId: string
  projectId: string
  relayUrl: string
  /** What the wallet shows of who asks. */
  asker: { name: string; url: string; icon: string | undefined }
}

export type OpenLink = (settings: LinkSettings) => Promise<Link>
