import type { AnalyticsEventName } from '@latchkey/protocol'
import type { CapabilityEvent, HostWallets, WalletAnswer, WalletRequest } from '@latchkey/protocol/host'

/** What flows get from outside, so that a test passes its own and nobody patches modules. */

export type Clock = {
  nowMs: () => number
  /** Runs once, later; the answer takes it back. */
  after: (delayMs: number, run: () => void) => () => void
}

export const browserClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Random ids; 16 bytes unless told. */
export type Random = { id: (bytes?: number) => string; uuid: () => string }

/** Text by name, kept by the browser for this origin in this partition. Any call may throw. */
export type KeyValueStore = {
  read: (name: string) => string | null
  write: (name: string, value: string) => void
  remove: (name: string) => void
}

/** What outlives a reload, and is this tab's alone. */
export const tabStore: KeyValueStore = {
  read: (name) => sessionStorage.getItem(name),
  write: (name, value) => sessionStorage.setItem(name, value),
  remove: (name) => sessionStorage.removeItem(name),
}

/** One holder at a time among all tabs of this origin in this partition. */
export type Locks = {
  /**
   * Rejects with `session_storage_unavailable` where this browser gives no locks, and with
   * `client_request_timeout` where it gave none in time. The signal ends the wait, not the run.
   */
  hold: <T>(name: string, deadlineMs: number, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>
}

/** A word to the other tabs of this origin in this partition. Carries no data. */
export type Notices = {
  tell: () => void
  listen: (run: () => void) => void
}

/** Whether the browser has a network at all. */
export type Network = {
  isOnline: () => boolean
  /** Resolves when it is there again. */
  whenOnline: () => Promise<void>
}

/** A page around a dialog, or the dialog's own. Extensions put their user's wallets into it, which it lends. */
export type HostPage = {
  findWallets: () => Promise<HostWallets>
  /** Of a wallet, or of the page itself. */
  request: (asked: WalletRequest, options: { signal: AbortSignal }) => Promise<WalletAnswer>
}

export type TellPage = {
  /** Tells the host's page what a capability has to say; nobody waits for it to hear. */
  tellPage: (event: CapabilityEvent) => void
}

/** The window that the dialog stands in. */
export type FrameHost = {
  show: () => Promise<void>
  /** A screen is drawn: whatever stood in for the card can go. */
  drawn: () => void
  hide: () => void
}

/** Short facts, never personal data. */
export type AnalyticsPayload = Readonly<Record<string, string | number | boolean | null>>
/** Counts an event; nobody waits for it. */
export type Analytics = (eventName: AnalyticsEventName, payload?: AnalyticsPayload) => void
