/** What the wallet's side of a relay does, and all that its flows know of it. */
import type { Refusal } from './refusals.ts'

/** Of the official client, in its role as a wallet; made for one user of one browser, whose sessions it remembers. */
export type DappClient = {
  /** Rejects where nobody can pair by it any more. */
  pair: (uri: string) => Promise<void>
  /** Nothing comes of a pairing that nobody waits for. */
  unpair: (topic: string) => Promise<void>
  approve: (proposal: number, namespaces: GrantedNamespaces) => Promise<DappSession>
  reject: (proposal: number, refusal: Refusal) => Promise<void>
  sessions: () => readonly DappSession[]
  respond: (to: Pick<DappRequest, 'id' | 'topic'>, answer: DappAnswer) => Promise<void>
  /** The session is on these chains from now on, and on this one of them now. */
  moveTo: (topic: string, namespaces: GrantedNamespaces, chainId: number) => Promise<void>
  /** The dapp is told, where it can be reached; here it is over in any case. */
  end: (topic: string) => Promise<void>
  close: () => void
}

export type DappEvents = {
  proposed: (proposal: DappProposal) => void
  proposalExpired: (id: number) => void
  asked: (request: DappRequest) => void
  /** By the dapp, or because it ran out. */
  ended: (topic: string) => void
  /** The relay will not have us. */
  refused: (why: string) => void
}

/** Nobody vouches for what a dapp says of itself. */
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
  /** A chain in the form of CAIP-2, such as `eip155:1`. */
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
