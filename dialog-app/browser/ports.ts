import type { AnalyticsEventName } from '@latchkey/protocol'
import type { CapabilityEvent, HostWallets, WalletAnswer, WalletRequest } from '@latchkey/protocol/host'

/** The external dependencies of flows, which tests replace without patching modules. */

export type Clock = {
  nowMs: () => number
  /** Runs once after the delay. Returns a function that cancels it. */
  after: (delayMs: number, run: () => void) => () => void
}

export const browserClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Random ids, of 16 bytes by default. */
export type Random = { id: (bytes?: number) => string; uuid: () => string }

/** String storage for this origin and partition. Every call may throw. */
export type KeyValueStore = {
  read: (name: string) => string | null
  write: (name: string, value: string) => void
  remove: (name: string) => void
}

/** Storage of this tab that survives a reload. */
export const tabStore: KeyValueStore = {
  read: (name) => sessionStorage.getItem(name),
  write: (name, value) => sessionStorage.setItem(name, value),
  remove: (name) => sessionStorage.removeItem(name),
}

/** Exclusive locks among all tabs of this origin and partition. */
export type Locks = {
  /**
   * Runs with the lock. Rejects with `session_storage_unavailable` if the browser has no locks, and with
   * `client_request_timeout` after the deadline. The signal ends the wait, not the run.
   */
  hold: <T>(name: string, deadlineMs: number, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>
}

/** Notifies the other tabs of this origin and partition, without data. */
export type Notices = {
  tell: () => void
  listen: (run: () => void) => void
}

/** The browser's network state. */
export type Network = {
  isOnline: () => boolean
  /** Resolves when the network is available again. */
  whenOnline: () => Promise<void>
}

/** The page with the user's browser wallets: the host page, or the dialog's own page. */
export type HostPage = {
  findWallets: () => Promise<HostWallets>
  /** Sends a request to a wallet, or to the page itself. */
  request: (asked: WalletRequest, options: { signal: AbortSignal }) => Promise<WalletAnswer>
}

export type TellPage = {
  /** Emits a capability's event to the host page without awaiting it. */
  tellPage: (event: CapabilityEvent) => void
}

/** The frame around the dialog. */
export type FrameHost = {
  show: () => Promise<void>
  /** Reports that a screen is drawn, so that placeholders can be removed. */
  drawn: () => void
  hide: () => void
}

/** Short values without personal data. */
export type AnalyticsPayload = Readonly<Record<string, string | number | boolean | null>>
/** Sends an analytics event without awaiting it. */
export type Analytics = (eventName: AnalyticsEventName, payload?: AnalyticsPayload) => void
