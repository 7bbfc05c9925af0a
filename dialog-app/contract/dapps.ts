/** Dapps that the user connected by a link of WalletConnect, as the list of connected apps shows them. */
import type { ScreenStack } from '../app/screen.ts'

/** Name and address are what the dapp says of itself: nobody vouches for them. */
export type ConnectedDapp = {
  id: string
  name: string
  /** Its origin. */
  url: string
  sinceMs: number
  lastUsedMs: number | undefined
}

export type Dapps = {
  /** The dapps that are connected in this browser. */
  list: () => Promise<readonly ConnectedDapp[]>
  /** Tells the dapp, where it can be reached. */
  end: (id: string) => Promise<void>
  /** Takes a link of the user; the name of the dapp, where one was connected. */
  connect: (screens: Pick<ScreenStack, 'run'>) => Promise<string | undefined>
  /** Runs when the list changes. Returns a function that unsubscribes. */
  onChange: (listener: () => void) => () => void
}
