import type {
  ClientConfig,
  ConnectedWallet,
  ErrorCode,
  FundingConfig,
  LatchkeyError,
  OAuthTokens,
  SignUi,
  User,
} from './published.ts'

/**
 * When to load the dialog's frame: immediately, when the page is idle, or with the first call that needs it.
 */
export type Preload = 'now' | 'idle' | 'never'

export type LatchkeyOptions = {
  /** The app's id of 25 characters. */
  appId: string
  /**
   * The URL that serves the dialog, such as `https://dialog.example`. Optional if the page already has a client
   * of this app, for example from the script tag.
   */
  dialogUrl?: string
  config?: ClientConfig
  /** Logs in the user of your page's own login, without a login screen. */
  auth?: HostLogin
  /** Defaults to `'idle'`. */
  preload?: Preload
}

/** The login of your page. The app's token issuer decides which tokens are valid. */
export type HostLogin = {
  /**
   * Returns a fresh JWT of the user, or null if no user is logged in to your page. Called when the dialog has
   * loaded, with `login()`, and after each renewal of the session.
   */
  getToken(): Promise<string | null> | string | null
}

export type CallOptions = {
  /**
   * Cancels the call and closes its card. The call rejects with `call_cancelled`, unless its effect already
   * happened: a sent transaction resolves with its hash and a `status` of null.
   */
  signal?: AbortSignal | undefined
}

/** Selects the wallet that signs or sends. Defaults to this app's embedded wallet. */
export type WalletOptions = {
  /**
   * The address of another app's wallet that the user has linked (`linkCrossAppAccount`). That app confirms in
   * its own window.
   */
  address?: `0x${string}`
}

export type FundOptions = {
  /** Other values are refused (`not_supported`). */
  provider?: 'moonpay'
  config?: FundingConfig
}

export type ConnectOptions = {
  /**
   * The account to connect: `0x` and forty hex digits. The dialog refuses another account and tells the user.
   */
  suggestedAddress?: string
}

/** A string, or bytes as hex. */
export type MessageToSign = string | { raw: `0x${string}` }

/** Typed data (EIP-712). Numbers may be bigints, and `EIP712Domain` may be omitted. */
export type TypedDataToSign = {
  types: {
    [struct: string]: readonly { name: string; type: string }[]
  }
  primaryType: string
  domain: object
  message: object
}

export type EthereumProviderOptions = {
  /**
   * Also announces the provider to the page (EIP-6963) under the app's name, so that wallet libraries list it.
   */
  announce?: boolean
  /**
   * The address of another app's wallet that the user has linked. It has its own provider, announced under that
   * app's name. A read-only wallet is refused (`not_supported`).
   */
  address?: `0x${string}`
}

export type EthereumProviderEvents = {
  /** Emitted with the first response, and with the first one after `disconnect`. */
  connect: { chainId: `0x${string}` }
  disconnect: EthereumProviderError
  chainChanged: `0x${string}`
  accountsChanged: readonly `0x${string}`[]
}

/** An error with a code of EIP-1193 or JSON-RPC. `cause` is the underlying `LatchkeyError`, if any. */
export type EthereumProviderError = Error & { code: number; data?: unknown }

/** An EIP-1193 provider, as accepted by `custom()` of viem and `BrowserProvider` of ethers. */
export type EthereumProvider = {
  /** Rejects with an `EthereumProviderError`. */
  request(args: { method: string; params?: unknown }): Promise<unknown>
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
  /** Requests the accounts. A legacy method from before EIP-1102. */
  enable(): Promise<readonly `0x${string}`[]>
}

/** Display data of a wallet. */
export type WalletMeta = {
  /** The reverse domain name that the wallet announced, such as `io.metamask`; otherwise the wallet type. */
  id: string
  name: string
  /** A `data:` URL. Missing if the wallet did not provide one. */
  icon?: string
}

/** A wallet that the page has connected. Valid until it is disconnected. */
export type WalletConnection = ConnectedWallet & {
  meta: WalletMeta
  /** Sends requests to the wallet, which shows them to the user. */
  provider: EthereumProvider
  disconnect(): Promise<void>
}

export type SolanaProviderOptions = {
  /**
   * Also announces the wallet to the page (Wallet Standard) under the app's name, so that wallet libraries list
   * it.
   */
  announce?: boolean
}

/** The fields of a sign-in with Solana. https://github.com/phantom/sign-in-with-solana */
export type SolanaSignInInput = {
  domain?: string
  address?: string
  statement?: string
  uri?: string
  version?: string
  chainId?: string
  nonce?: string
  issuedAt?: string
  expirationTime?: string
  notBefore?: string
  requestId?: string
  resources?: string[]
}

export type SolanaSendOptions = {
  /** May be omitted if the app has nodes of one cluster only. */
  cluster?: 'mainnet' | 'devnet' | 'testnet'
  /** The state to wait for, `confirmed` by default. */
  commitment?: 'processed' | 'confirmed' | 'finalized'
}

/** The user's Solana wallet. It signs and sends transactions in apps with `solana_rpc_urls`. */
export type SolanaProvider = {
  /** The address in base58, which is case-sensitive. */
  address: string
  /** The address as 32 bytes. */
  publicKey: Uint8Array
  /**
   * Shows the message, which the user signs or rejects. Bytes must be UTF-8 text, because the text is
   * displayed.
   */
  signMessage(
    message: string | Uint8Array,
    options?: SignUi & CallOptions,
  ): Promise<{ signature: Uint8Array; address: string }>
  /**
   * Shows a sign-in message (SIWS) with these fields, which the user signs or rejects. Its domain is the site of
   * the page. Another domain rejects with `invalid_message`.
   */
  signIn(
    input?: SolanaSignInInput,
    options?: SignUi & CallOptions,
  ): Promise<{ signedMessage: Uint8Array; signature: Uint8Array; address: string }>
  /**
   * Shows the effects of a serialized transaction, legacy or version 0, which the user signs or rejects. Keeps
   * the signatures of others. Rejects with `not_supported` in apps without `solana_rpc_urls`.
   */
  signTransaction(
    transaction: Uint8Array,
    options?: SignUi & CallOptions,
  ): Promise<{ signedTransaction: Uint8Array; address: string }>
  /**
   * Signs like `signTransaction`, sends the transaction to the app's nodes, and resolves when it is confirmed.
   * Rejects with `insufficient_funds` or `transaction_failure`. `details.code` names the reason.
   */
  signAndSendTransaction(
    transaction: Uint8Array,
    options?: SolanaSendOptions & SignUi & CallOptions,
  ): Promise<{ signature: Uint8Array; address: string }>
  /**
   * Accepts `signMessage` with `{ message }`, and `signTransaction` and `signAndSendTransaction` with
   * `{ transaction }`. Other methods reject with `not_supported`.
   */
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

export type Ready = { authenticated: boolean }

export type LatchkeyEvents = {
  /** Emitted once per page, when the dialog has loaded and its session is known. */
  ready: Ready
  /** Emitted when a user has logged in, also in another tab. */
  login: { user: User }
  /** Emitted when the user has logged out, also in another tab. */
  logout: Record<never, never>
  /** Emitted when the user changes, for example links an account or creates a wallet; null after a logout. */
  user: { user: User | null }
  /** Emitted with each new access token, and when the session ends. */
  token: { type: 'granted'; token: string } | { type: 'removed' }
  /**
   * The tokens of an OAuth provider, after a login, a link or `reauthorize()`. Emitted only if the app returns
   * provider tokens and the page requests them with `loginConfig.oauthTokens` or `reauthorize()`.
   */
  oauthTokens: { tokens: OAuthTokens; user: User }
  /**
   * Emitted when the dialog's card is visible. `open` precedes it with an empty card if the dialog loads
   * slowly.
   */
  drawn: Record<never, never>
  /** Emitted when `connectWallet()` connects a wallet. */
  walletConnected: { wallet: WalletConnection }
  /** Emitted when that wallet disconnects. */
  walletDisconnected: { wallet: WalletConnection }
  /** Emitted when the dialog covers the page. */
  open: Record<never, never>
  /** Emitted when the dialog is hidden again. */
  close: Record<never, never>
  /** Emitted when a provider switches the wallet to another chain of the app. */
  chainChanged: { chainId: number }
  /**
   * Emitted with `mfa.noPromptOnMfaRequired` when a call waits for a verification by one of these methods. Your
   * page prompts for it.
   */
  mfaRequired: { methods: readonly MfaMethod[] }
  /**
   * Emitted when the dialog could not follow the page's own login (`auth`): `getToken` failed, or the server
   * refused the token. `details` has the reason of the server.
   */
  hostLoginFailed: { code: ErrorCode; message: string; details?: unknown }
  /** Emitted when the dialog is unreachable or lost. The next call retries. */
  error: { error: LatchkeyError }
}

/** An MFA method: authenticator app, SMS codes, or passkeys. */
export type MfaMethod = 'totp' | 'sms' | 'passkey'
