/** Dapps that the user connected by a link of WalletConnect, as the list of connected apps shows them. */
import type { CardHandle } from '../flow/flow.ts'

/** Name and address are what the dapp says of itself: nobody vouches for them. */
export type ConnectedDapp = {
  readonly id: string
  readonly name: string
  /** Its origin. */
  readonly url: string
  readonly sinceMs: number
  readonly lastUsedMs: number | undefined
}

export type Dapps = {
  /** The dapps that are connected in this browser. */
  readonly list: () => Promise<readonly ConnectedDapp[]>
  /** Tells the dapp, where it can be reached. */
  readonly end: (id: string) => Promise<void>
  /** Takes a link of the user; the name of the dapp, where one was connected. */
  readonly connect: (card: Pick<CardHandle, 'interrupt'>) => Promise<string | undefined>
  /** Whenever the list is another; the answer ends it. */
  readonly onChange: (listener: () => void) => () => void
}
