import type { CallOptions, LatchkeyEvents, Ready } from '../types/options.ts'
import type { ClientConfig, LoginResult, User } from '../types/published.ts'
import type { AccountCalls } from './accounts.ts'
import type { LinkCalls, UnlinkCalls } from './linking.ts'
import type { MfaCalls } from './mfa.ts'
import type { SigningCalls } from './signing.ts'
import type { WalletCalls } from './wallets.ts'

/** Calls that only few pages make; their code is in the second file. */
export type LazyCalls = LinkCalls & UnlinkCalls & MfaCalls & AccountCalls & WalletCalls & SigningCalls

/** A client of one app. Every promise settles, and every rejection is a `LatchkeyError`. */
export type Latchkey = LazyCalls & {
  /** The id of the app. */
  appId: string
  /**
   * Resolves once the dialog has loaded and its session is known. Reading it loads the dialog, regardless of
   * `preload`.
   */
  ready: Promise<Ready>
  /** Opens the dialog. Rejects with `exited_auth_flow` if the user closes it. */
  login(options?: CallOptions): Promise<LoginResult>
  /** Ends the session in this browser, in every tab. */
  logout(): Promise<void>
  /** Returns the user, or null for a visitor. */
  getUser(): Promise<User | null>
  /**
   * Returns an access token that identifies the user to your backend and grants nothing else; null for a
   * visitor.
   */
  getAccessToken(): Promise<string | null>
  /** Replaces the page's configuration. */
  setConfig(config: ClientConfig): Promise<void>
  /** Adds an event listener. Returns a function that removes it. */
  on<Name extends keyof LatchkeyEvents>(
    name: Name,
    listener: (event: LatchkeyEvents[Name]) => void,
  ): () => void
  /**
   * Releases this handle. Pending calls reject with `client_destroyed`, unless their effect already happened: a
   * sent transaction still resolves. The last handle of the app removes the frame once those calls settle.
   */
  destroy(): void
}
