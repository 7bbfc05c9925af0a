/** What the wallet's side of a relay does, and all that its flows know of it. */
import type { Refusal } from './refusals.ts'

/** Of the official client, in its role as a wallet; made for one user of one browser, whose sessions it remembers. */
export type DappClient = {
  /** Rejects where nobody can pair by it any more. */
  readonly pair: (uri: string) => Promise<void>
  /** Nothing comes of a pairing that nobody waits for. */
  readonly unpair: (topic: string) => Promise<void>
  readonly approve: (proposal: number, namespaces: GrantedNamespaces) => Promise<DappSession>
  readonly reject: (proposal: number, refusal: Refusal) => Promise<void>
  readonly sessions: () => readonly DappSession[]
  readonly respond: (to: Pick<DappRequest, 'id' | 'topic'>, answer: DappAnswer) => Promise<void>
  /** The session is on these chains from now on, and on this one of them now. */
  readonly moveTo: (topic: string, namespaces: GrantedNamespaces, chainId: number) => Promise<void>
  /** The dapp is told, where it can be reached; here it is over in any case. */
  readonly end: (topic: string) => Promise<void>
  readonly close: () => void
}

export type DappEvents = {
  readonly proposed: (proposal: DappProposal) => void
  readonly proposalExpired: (id: number) => void
  readonly asked: (request: DappRequest) => void
  /** By the dapp, or because it ran out. */
  readonly ended: (topic: string) => void
  /** The relay will not have us. */
  readonly refused: (why: string) => void
}

/** Nobody vouches for what a dapp says of itself. */
export type DappMetadata = { readonly name: string; readonly url: string }

export type Namespaces = Readonly<
  Record<
    string,
    {
      readonly chains?: readonly string[] | undefined
      readonly methods: readonly string[]
      readonly events: readonly string[]
    }
  >
>
export type GrantedNamespaces = {
  readonly eip155: {
    readonly chains: string[]
    readonly accounts: string[]
    readonly methods: string[]
    readonly events: string[]
  }
}

export type DappProposal = {
  readonly id: number
  readonly pairingTopic: string
  readonly metadata: DappMetadata
  readonly required: Namespaces
  readonly optional: Namespaces
  readonly expiresAtMs: number
}
export type DappSession = {
  readonly topic: string
  readonly metadata: DappMetadata
  readonly chains: readonly string[]
}
export type DappRequest = {
  readonly id: number
  readonly topic: string
  /** A chain in the form of CAIP-2, such as `eip155:1`. */
  readonly chain: string
  readonly method: string
  readonly params: unknown
  readonly expiresAtMs: number
}
export type DappAnswer = { readonly result: unknown } | { readonly error: Refusal }

export type DappClientSettings = {
  readonly name: string
  readonly projectId: string
  readonly relayUrl: string
  readonly wallet: DappMetadata & { readonly icon: string | undefined }
}
export type OpenDappClient = (settings: DappClientSettings, events: DappEvents) => Promise<DappClient>
