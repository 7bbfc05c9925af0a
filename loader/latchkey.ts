import type {
  ClientConfig,
  ConnectedWallet,
  ForkedSession,
  LatchkeyError,
  LoginResult,
  SignedMessage,
  SignUi,
  User,
  WalletAccount,
} from './published.ts'

/** When the dialog's frame is loaded: at once, when the page is idle, or with the first call that needs it. */
export type Preload = 'now' | 'idle' | 'never'

export type LatchkeyOptions = {
  /** The 25 characters that name your app. */
  readonly appId: string
  /**
   * Where the dialog is served, such as `https://dialog.example`. It may be left out where the page already has
   * a client of this app, as from the script tag.
   */
  readonly dialogUrl?: string
  readonly config?: ClientConfig
  /** 'idle' when left out. */
  readonly preload?: Preload
}

export type CallOptions = {
  /** Takes the call back, and closes what the dialog shows for it. The call rejects with `call_cancelled`. */
  readonly signal?: AbortSignal | undefined
}

export type Ready = { readonly authenticated: boolean }

export type LatchkeyEvents = {
  /** The dialog is there, and it is known whether somebody is logged in. Once a page. */
  readonly ready: Ready
  readonly login: { readonly user: User }
  readonly logout: Record<never, never>
  /** The user changed: an account was linked, a wallet made; null after a logout. */
  readonly user: { readonly user: User | null }
  readonly token: { readonly type: 'granted'; readonly token: string } | { readonly type: 'removed' }
  /** The dialog covers the page, or no longer does. */
  readonly open: Record<never, never>
  readonly close: Record<never, never>
  /** The dialog could not be reached, or was lost. The next call tries again. */
  readonly error: { readonly error: LatchkeyError }
}

/** What can be linked to a user, as the methods write it: `linkGoogle()`, `unlinkGoogle(subject)`. */
export type Linkable =
  | 'Email'
  | 'Phone'
  | 'Wallet'
  | 'Passkey'
  | 'Apple'
  | 'Discord'
  | 'Github'
  | 'Google'
  | 'Linkedin'
  | 'Spotify'
  | 'Instagram'
  | 'Twitter'
  | 'Tiktok'
  | 'Farcaster'
  | 'Telegram'
/** Each opens the dialog, where the user proves that the account is theirs. */
export type LinkCalls = {
  readonly [Name in Linkable as `link${Name}`]: (options?: CallOptions) => Promise<User>
}
/** Each asks the user first. The id is the address, the number, the subject: what names the account. */
export type UnlinkCalls = {
  readonly [Name in Linkable as `unlink${Name}`]: (id: string, options?: CallOptions) => Promise<User>
}

/** Every promise rejects with a `LatchkeyError`, and every promise settles. */
export type Latchkey = LinkCalls &
  UnlinkCalls & {
    readonly appId: string
    /** Settles when the dialog is there and knows whether somebody is logged in; asking for it loads the dialog, whatever `preload` says. */
    readonly ready: Promise<Ready>
    /** Opens the dialog. Rejects with `exited_auth_flow` when the user closes it. */
    login(options?: CallOptions): Promise<LoginResult>
    logout(): Promise<void>
    /** The user, or null for a visitor. */
    getUser(): Promise<User | null>
    /** A token that names the user to your own backend and opens nothing else; null for a visitor. */
    getAccessToken(): Promise<string | null>
    /** A one-use code from which another page of your app starts a session that ends with this one. */
    forkSession(): Promise<ForkedSession>
    createWallet(): Promise<WalletAccount>
    /** Opens the dialog to choose what the user keeps for the recovery of their wallet (`user_exited_set_password_flow`). */
    setWalletRecovery(options?: CallOptions): Promise<WalletAccount>
    /** Shows the message to the user, who signs or rejects it (`user_rejected_request`). */
    signMessage(message: string, options?: SignUi & CallOptions): Promise<SignedMessage>
    /** Opens the dialog to put another e-mail address in the place of the one that the user has. */
    updateEmail(options?: CallOptions): Promise<User>
    /**
     * Opens the dialog to connect a wallet that the user brings, such as an extension. Nobody is logged in by that, and
     * nothing is proved: whoever wants to know whose it is has it linked.
     */
    connectWallet(options?: CallOptions): Promise<ConnectedWallet>
    /** Replaces the configuration of the page. */
    setConfig(config: ClientConfig): Promise<void>
    /** Returns a function that stops listening. */
    on<Name extends keyof LatchkeyEvents>(
      name: Name,
      listener: (event: LatchkeyEvents[Name]) => void,
    ): () => void
    /** Settles what is open with `client_destroyed`. The frame goes with the last handle of the app. */
    destroy(): void
  }
