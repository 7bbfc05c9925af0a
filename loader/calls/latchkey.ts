import type { CallOptions, LatchkeyEvents, Ready } from '../types/options.ts'
import type { ClientConfig, LoginResult, User } from '../types/published.ts'
import type { AccountCalls } from './accounts.ts'
import type { LinkCalls, UnlinkCalls } from './linking.ts'
import type { MfaCalls } from './mfa.ts'
import type { SigningCalls } from './signing.ts'
import type { WalletCalls } from './wallets.ts'

/** The calls that few pages make. */
export type LazyCalls = LinkCalls & UnlinkCalls & MfaCalls & AccountCalls & WalletCalls & SigningCalls

/** Every promise rejects with a `LatchkeyError`, and every promise settles. */
export type Latchkey = LazyCalls & {
  appId: string
  /** Settles when the dialog is there and knows whether somebody is logged in; asking for it loads the dialog, whatever `preload` says. */
  ready: Promise<Ready>
  /** Opens the dialog. Rejects with `exited_auth_flow` when the user closes it. */
  login(options?: CallOptions): Promise<LoginResult>
  logout(): Promise<void>
  /** The user, or null for a visitor. */
  getUser(): Promise<User | null>
  /** A token that names the user to your own backend and opens nothing else; null for a visitor. */
  getAccessToken(): Promise<string | null>
  /** Replaces the configuration of the page. */
  setConfig(config: ClientConfig): Promise<void>
  /** Returns a function that stops listening. */
  on<Name extends keyof LatchkeyEvents>(
    name: Name,
    listener: (event: LatchkeyEvents[Name]) => void,
  ): () => void
  /**
   * Settles what is open with `client_destroyed`, or with what was done already, as a transaction that was sent. The frame
   * goes with the last handle of the app, once that is known.
   */
  destroy(): void
}
