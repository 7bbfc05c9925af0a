import type {
  ClientConfig,
  ConnectedWallet,
  FarcasterSigner,
  ForkedSession,
  Funded,
  FundingConfig,
  LatchkeyError,
  LoginResult,
  OAuthTokens,
  SendUi,
  SignedMessage,
  SignUi,
  SocialProvider,
  TransactionReceipt,
  TransactionRequest,
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
  /**
   * Takes the call back, and closes what the dialog shows for it. The call rejects with `call_cancelled`, unless it was done
   * already: a transaction that was sent resolves with its hash, and a `status` of null.
   */
  readonly signal?: AbortSignal | undefined
}

/** Whose wallet signs or sends: that of this app where there is none. */
export type WalletOptions = {
  /** Of a wallet of another app that the user has linked (`linkCrossAppAccount`); that app asks the user in a window. */
  readonly address?: `0x${string}`
}

export type FundOptions = {
  /** Any other is refused (`not_supported`). */
  readonly provider?: 'moonpay'
  readonly config?: FundingConfig
}

export type ConnectOptions = {
  /** The account that is to be connected: `0x` and forty digits. Another one is not taken, and the user is told. */
  readonly suggestedAddress?: string
}

/** Typed data as libraries have it; a number may be a bigint. `EIP712Domain` may be left out. */
/** A text, or bytes as hex. */
export type MessageToSign = string | { readonly raw: `0x${string}` }

export type TypedDataToSign = {
  readonly types: {
    readonly [struct: string]: readonly { readonly name: string; readonly type: string }[]
  }
  readonly primaryType: string
  readonly domain: object
  readonly message: object
}

export type EthereumProviderOptions = {
  /** Also announces it to the page (EIP-6963), under the name of the app: libraries then offer it among the wallets. */
  readonly announce?: boolean
  /**
   * Of a wallet of another app that the user has linked: a provider of its own, announced under the name of that app. One
   * that may only be read is refused (`not_supported`).
   */
  readonly address?: `0x${string}`
}

export type EthereumProviderEvents = {
  /** It can be asked; told with the first answer, and again after `disconnect`. */
  readonly connect: { readonly chainId: `0x${string}` }
  readonly disconnect: EthereumProviderError
  readonly chainChanged: `0x${string}`
  readonly accountsChanged: readonly `0x${string}`[]
}

/** By the codes of EIP-1193 and JSON-RPC; `cause` is the `LatchkeyError` behind it, where there is one. */
export type EthereumProviderError = Error & { readonly code: number; readonly data?: unknown }

/** EIP-1193, as `custom()` of viem and `BrowserProvider` of ethers take it. */
export type EthereumProvider = {
  /** Rejects with an `EthereumProviderError`. */
  request(asked: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on<Name extends keyof EthereumProviderEvents>(
    name: Name,
    listener: (event: EthereumProviderEvents[Name]) => void,
  ): EthereumProvider
  once<Name extends keyof EthereumProviderEvents>(
    name: Name,
    listener: (event: EthereumProviderEvents[Name]) => void,
  ): EthereumProvider
  off<Name extends keyof EthereumProviderEvents>(
    name: Name,
    listener: (event: EthereumProviderEvents[Name]) => void,
  ): EthereumProvider
  removeListener<Name extends keyof EthereumProviderEvents>(
    name: Name,
    listener: (event: EthereumProviderEvents[Name]) => void,
  ): EthereumProvider
  /** As libraries asked for accounts before EIP-1102. */
  enable(): Promise<readonly `0x${string}`[]>
}

export type SolanaProviderOptions = {
  /** Also announces it to the page by the wallet standard, under the name of the app: libraries then offer it among the wallets. */
  readonly announce?: boolean
}

/** The Solana wallet of the user. It signs messages; transactions it does not sign. */
export type SolanaProvider = {
  /** In base58, where the case counts. */
  readonly address: string
  /** The same as 32 bytes. */
  readonly publicKey: Uint8Array
  /** Shows the message to the user, who signs or rejects it. Bytes must be the UTF-8 of a text, which is what is shown. */
  signMessage(
    message: string | Uint8Array,
    options?: SignUi & CallOptions,
  ): Promise<{ readonly signature: Uint8Array; readonly address: string }>
  /** `signMessage` with `{ message }`; every other method is `not_supported`. */
  request(asked: { readonly method: string; readonly params?: unknown }): Promise<unknown>
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
  /**
   * What a provider handed out for its user, after a login or link there and after `reauthorize()`. Only where the app
   * hands them out, and the page asks for them by `loginConfig.oauthTokens` or by that call.
   */
  readonly oauthTokens: { readonly tokens: OAuthTokens; readonly user: User }
  /** The dialog covers the page, or no longer does. */
  readonly open: Record<never, never>
  readonly close: Record<never, never>
  /** The wallet was moved to another chain of the app, as a provider asked. */
  readonly chainChanged: { readonly chainId: number }
  /** A call waits for the user to verify themselves by one of these: with `mfa.noPromptOnMfaRequired`, your page asks. */
  readonly mfaRequired: { readonly methods: readonly MfaMethod[] }
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
  | 'LinkedIn'
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

/** A method of verification: an authenticator app, codes by SMS, or passkeys. */
export type MfaMethod = 'totp' | 'sms' | 'passkey'

export type MfaCalls = {
  /** Opens the dialog where the user adds and removes methods; the user as they are when it is closed. */
  showMfaEnrollment(options?: CallOptions): Promise<User>
  /** Likewise, at the first screen of one method. */
  enrollMfa(method: MfaMethod, options?: CallOptions): Promise<User>
  /** Likewise, where the user confirms that one method is removed. */
  unenrollMfa(method: MfaMethod, options?: CallOptions): Promise<User>
  closeMfaEnrollment(): Promise<void>
  /** After `mfaRequired`: sends the code of `sms`, or gets the challenge of `passkey`. */
  initMfa(method: MfaMethod): Promise<MfaChallenge>
  /** Six digits, or what an authenticator answered. A wrong answer (`missing_or_invalid_mfa`) can be tried again. */
  submitMfa(method: MfaMethod, answer: string | Readonly<Record<string, unknown>>): Promise<void>
  /** The call that waits ends with `missing_or_invalid_mfa`. */
  cancelMfa(): Promise<void>
}
/** Of a passkey: what its authenticator is to be asked. */
export type MfaChallenge = {
  readonly relyingParty?: string
  readonly options?: Readonly<Record<string, unknown>>
}

/** Every promise rejects with a `LatchkeyError`, and every promise settles. */
export type Latchkey = LinkCalls &
  UnlinkCalls &
  MfaCalls & {
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
    /** Makes the Solana wallet of a user who has no Ethereum wallet yet; an Ethereum wallet may follow. */
    createSolanaWallet(): Promise<WalletAccount>
    /** The user's Solana wallet as pages drive one; `embedded_wallet_not_found` where there is none. */
    getSolanaProvider(options?: SolanaProviderOptions): Promise<SolanaProvider>
    /** Opens the dialog to choose what the user keeps for the recovery of their wallet (`user_exited_set_password_flow`). */
    setWalletRecovery(options?: CallOptions): Promise<WalletAccount>
    /**
     * Opens the dialog in which the user sees the key of their wallet (`user_rejected_request`). Settles when they leave; this
     * page learns nothing of the key.
     */
    exportWallet(options?: CallOptions): Promise<void>
    /**
     * Opens the dialog in which the user makes a private key of theirs their wallet (`user_rejected_request`). They type
     * it where this page can not read it. A key of this page is refused unless the operator allowed it (`not_supported`).
     */
    importWallet(privateKey?: string, options?: CallOptions): Promise<WalletAccount>
    /**
     * Opens the dialog in which the user buys with a card for one of their wallets, embedded or linked, or sees where to
     * send something to (`user_rejected_request`). Called again, it goes on where an unfinished payment is.
     */
    fundWallet(address: string, options?: FundOptions & CallOptions): Promise<Funded>
    /**
     * Has the user approve, on their phone, that this app writes for their Farcaster account with a key of their wallet. A
     * key that they approved before is answered without asking.
     */
    requestFarcasterSigner(options?: CallOptions): Promise<FarcasterSigner>
    /**
     * The ed25519 signature of the hash of a Farcaster message, which has 20 bytes, by the key that the user approved: what
     * an `ExternalEd25519Signer` asks for.
     */
    signFarcasterMessage(hash: Uint8Array, options?: CallOptions): Promise<Uint8Array>
    /**
     * Shows the message to the user, who signs or rejects it (`user_rejected_request`). Bytes that are no text, as a hash
     * that a smart account wants signed, are confirmed on a page of the wallet.
     */
    signMessage(
      message: MessageToSign,
      options?: SignUi & WalletOptions & CallOptions,
    ): Promise<SignedMessage>
    /**
     * Shows typed data (EIP-712) to the user, who signs or rejects it. A value that does not fit its type is refused
     * (`invalid_message`), and so is data for another chain than the wallet is on (`unsupported_chain_id`).
     */
    signTypedData(
      data: TypedDataToSign | string,
      options?: SignUi & WalletOptions & CallOptions,
    ): Promise<SignedMessage>
    /**
     * Shows a transaction to the user, who submits or rejects it, and follows it until the chain has carried it out.
     * Only on chains whose addresses the app has at the server. Of one that a wallet of another app sent, the hash alone is
     * known: its `status` is null.
     */
    sendTransaction(
      transaction: TransactionRequest,
      options?: SendUi & WalletOptions & CallOptions,
    ): Promise<TransactionReceipt>
    /**
     * Opens the dialog to link the wallet that the user has in another app, by that app's id. The operator of this app has
     * registered it (`cross_app_connection_not_allowed`).
     */
    linkCrossAppAccount(what: { readonly appId: string }, options?: CallOptions): Promise<User>
    /** Asks the user first. `subject` is that of their account of type `cross_app`. */
    unlinkCrossAppAccount(what: { readonly subject: string }, options?: CallOptions): Promise<User>
    /** The wallet as libraries drive one (EIP-1193). All callers share one; `eth_requestAccounts` logs in. */
    getEthereumProvider(options?: EthereumProviderOptions): Promise<EthereumProvider>
    /** Opens the dialog to put another e-mail address in the place of the one that the user has. */
    updateEmail(options?: CallOptions): Promise<User>
    /**
     * Opens the dialog to connect a wallet that the user brings, such as an extension. Nobody is logged in by that, and
     * nothing is proved: whoever wants to know whose it is has it linked.
     */
    connectWallet(options?: ConnectOptions & CallOptions): Promise<ConnectedWallet>
    /**
     * Opens the dialog for a wallet that the page can ask for things: a visitor connects one that they bring, which logs
     * nobody in, or logs in and gets one of their own. A user is answered with theirs, made where there is none; one who
     * logs in by a wallet connects that.
     */
    connectOrCreateWallet(options?: CallOptions): Promise<ConnectedWallet>
    /** Has the user go to a provider again, whose tokens then come as the event `oauthTokens`. */
    reauthorize(what: { readonly provider: SocialProvider }, options?: CallOptions): Promise<User>
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
