/** The interface of the wallet client for a WalletConnect relay. */
import type { Refusal } from './refusals.ts'

/** The official client in its role as a wallet. It stores the sessions of one user in one browser. */
export type DappClient = {
  /** Rejects if the link was already used or has expired. */
  pair: (uri: string) => Promise<void>
  /** Ends a pairing that is no longer needed. */
  unpair: (topic: string) => Promise<void>
  approve: (proposal: number, namespaces: GrantedNamespaces) => Promise<DappSession>
  reject: (proposal: number, refusal: Refusal) => Promise<void>
  sessions: () => readonly DappSession[]
  respond: (to: Pick<DappRequest, 'id' | 'topic'>, answer: DappAnswer) => Promise<void>
  /** Updates the chains of the session, and switches to one of them. */
  moveTo: (topic: string, namespaces: GrantedNamespaces, chainId: number) => Promise<void>
  /** Ends the session in this browser. Notifies the dapp if the relay is connected. */
  end: (topic: string) => Promise<void>
  close: () => void
}

export type DappEvents = {
  proposed: (proposal: DappProposal) => void
  proposalExpired: (id: number) => void
  asked: (request: DappRequest) => void
  /** The dapp ended the session, or it expired. */
  ended: (topic: string) => void
  /** The relay refuses this app. */
  refused: (why: string) => void
}

/** The unverified metadata of a dapp. */
export type DappMetadata = { name: string; url: string }

export type Namespaces = Readonly<
  Record<
    string,
    {
      chains?: readonly string[] | undefined
      methods: readonly string[]
      events: readonly string[]
    }
  >
>
export type GrantedNamespaces = {
  eip155: {
    chains: string[]
    accounts: string[]
    methods: string[]
    events: string[]
  }
}

export type DappProposal = {
  id: number
  pairingTopic: string
  metadata: DappMetadata
  required: Namespaces
  optional: Namespaces
  expiresAtMs: number
}
export type DappSession = {
  topic: string
  metadata: DappMetadata
  chains: readonly string[]
}
export type DappRequest = {
  id: number
  topic: string
  /** A CAIP-2 chain id, such as `eip155:1`. */
  chain: string
  method: string
  params: unknown
  expiresAtMs: number
}
export type DappAnswer = { result: unknown } | { error: Refusal }

export type DappClientSettings = {
  name: string
  projectId: string
  relayUrl: string
  wallet: DappMetadata & { icon: string | undefined }
}
export type OpenDappClient = (settings: DappClientSettings, events: DappEvents) => Promise<DappClient>
