/** Dapps that the user connected by a WalletConnect link, for the list of connected apps. */
import type { ScreenStack } from '../app/screen.ts'

/** A connected dapp. Its name and URL are self-declared and not verified. */
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
  /** Disconnects the dapp and notifies it, if it is reachable. */
  end: (id: string) => Promise<void>
  /** Asks for a link. Returns the name of the dapp, or undefined if none was connected. */
  connect: (screens: Pick<ScreenStack, 'run'>) => Promise<string | undefined>
  /** Runs when the list changes. Returns a function that unsubscribes. */
  onChange: (listener: () => void) => () => void
}
