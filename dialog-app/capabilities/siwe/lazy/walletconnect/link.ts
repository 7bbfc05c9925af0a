/** The interface between the connector and the WalletConnect client. */

/** A connection attempt with at most one session. Its state is not stored. */
export type Link = {
  propose: (chainIds: readonly number[]) => Promise<Proposal>
  /** Returns the current session. Undefined before approval and after either side ended it. */
  session: () => RelaySession | undefined
  request: (call: RelayCall) => Promise<unknown>
  /** Disconnects the session and its pairings, which notifies the wallet. */
  end: () => Promise<void>
  /** Calls the listener once if the relay rejects this app. */
  onRefused: (listener: (why: string) => void) => void
  close: () => void
}

export type Proposal = {
  /** The pairing URI for the phone. */
  uri: string
  /** Rejects with the wallet's `{ code, message }`. */
  approved: Promise<RelaySession>
}

export type RelaySession = {
  accounts: readonly RelayAccount[]
  methods: readonly string[]
  walletName: string
  /** The universal link of the wallet's app, from its metadata. */
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
  /** The metadata of the requesting page, displayed by the wallet. */
  asker: { name: string; url: string; icon: string | undefined }
}

export type OpenLink = (settings: LinkSettings) => Promise<Link>
