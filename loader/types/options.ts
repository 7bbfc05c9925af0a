import type {
  ClientConfig,
  ConnectedWallet,
  FundingConfig,
  LatchkeyError,
  OAuthTokens,
  SignUi,
  User,
} from './published.ts'

/** When the dialog's frame is loaded: at once, when the page is idle, or with the first call that needs it. */
export type Preload = 'now' | 'idle' | 'never'

export type LatchkeyOptions = {
  /** The 25 characters that name your app. */
  appId: string
  /**
   * Where the dialog is served, such as `https://dialog.example`. It may be left out where the page already has
   * a client of this app, as from the script tag.
   */
  dialogUrl?: string
  config?: ClientConfig
  /** 'idle' when left out. */
  preload?: Preload
}

export type CallOptions = {
  /**
   * Takes the call back, and closes what the dialog shows for it. The call rejects with `call_cancelled`, unless it was done
   * already: a transaction that was sent resolves with its hash, and a `status` of null.
   */
  signal?: AbortSignal | undefined
}

/** Whose wallet signs or sends: that of this app where there is none. */
export type WalletOptions = {
  /**
   * The address of a wallet of another app that the user has linked (`linkCrossAppAccount`); that app asks the user
   * in a window.
   */
  address?: `0x${string}`
}

export type FundOptions = {
  /** Any other is refused (`not_supported`). */
  provider?: 'moonpay'
  config?: FundingConfig
}

export type ConnectOptions = {
  /** The account that is to be connected: `0x` and forty digits. Another one is not taken, and the user is told. */
  suggestedAddress?: string
}

/** A text, or bytes as hex. */
export type MessageToSign = string | { raw: `0x${string}` }

/** Typed data as libraries have it; a number may be a bigint. `EIP712Domain` may be left out. */
export type TypedDataToSign = {
  types: {
    [struct: string]: readonly { name: string; type: string }[]
  }
  primaryType: string
  domain: object
  message: object
}

export type EthereumProviderOptions = {
  /** Also announces it to the page (EIP-6963), under the name of the app: libraries then offer it among the wallets. */
  announce?: boolean
  /**
   * The address of a wallet of another app that the user has linked: it has a provider of its own, announced under
   * the name of that app. A wallet that may only be read is refused (`not_supported`).
   */
  address?: `0x${string}`
}

export type EthereumProviderEvents = {
  /** It can be asked; told with the first answer, and again after `disconnect`. */
  connect: { chainId: `0x${string}` }
  disconnect: EthereumProviderError
  chainChanged: `0x${string}`
  accountsChanged: readonly `0x${string}`[]
}

/** By the codes of EIP-1193 and JSON-RPC; `cause` is the `LatchkeyError` behind it, where there is one. */
export type EthereumProviderError = Error & { code: number; data?: unknown }

/** EIP-1193, as `custom()` of viem and `BrowserProvider` of ethers take it. */
export type EthereumProvider = {
  /** Rejects with an `EthereumProviderError`. */
  request(asked: { method: string; params?: unknown }): Promise<unknown>
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
  /** Libraries asked for accounts by this method before EIP-1102. */
  enable(): Promise<readonly `0x${string}`[]>
}

/** What a page shows of a wallet. */
export type WalletMeta = {
  /** The reverse domain name that a wallet of the page has announced, such as `io.metamask`; else what kind of wallet it is. */
  id: string
  name: string
  /** A `data:` URL. Missing for wallets that told none. */
  icon?: string
}

/** A wallet that the page has connected, until it is disconnected. */
export type WalletConnection = ConnectedWallet & {
  meta: WalletMeta
  /** Asks the wallet itself, which shows its user what it is asked for. */
  provider: EthereumProvider
  disconnect(): Promise<void>
}

export type SolanaProviderOptions = {
  /** Also announces it to the page by the wallet standard, under the name of the app: libraries then offer it among the wallets. */
  announce?: boolean
}

/** The Solana wallet of the user. It signs messages; transactions it does not sign. */
export type SolanaProvider = {
  /** In base58, where the case counts. */
  address: string
  /** The same as 32 bytes. */
  publicKey: Uint8Array
  /** Shows the message to the user, who signs or rejects it. Bytes must be the UTF-8 of a text, which is what is shown. */
  signMessage(
    message: string | Uint8Array,
    options?: SignUi & CallOptions,
  ): Promise<{ signature: Uint8Array; address: string }>
  /** `signMessage` with `{ message }`; every other method is `not_supported`. */
  request(asked: { method: string; params?: unknown }): Promise<unknown>
}

export type Ready = { authenticated: boolean }

export type LatchkeyEvents = {
  /** The dialog is there, and it is known whether somebody is logged in. Once a page. */
  ready: Ready
  login: { user: User }
  logout: Record<never, never>
  /** The user changed: an account was linked, a wallet made; null after a logout. */
  user: { user: User | null }
  token: { type: 'granted'; token: string } | { type: 'removed' }
  /**
   * What a provider handed out for its user, after a login or link there and after `reauthorize()`. Only where the app
   * hands them out, and the page asks for them by `loginConfig.oauthTokens` or by that call.
   */
  oauthTokens: { tokens: OAuthTokens; user: User }
  /** The card of the dialog can be seen. `open` comes before it, with the empty card of a dialog that is slow. */
  drawn: Record<never, never>
  /** A wallet was connected for the page by `connectWallet()`, or is no longer. */
  walletConnected: { wallet: WalletConnection }
  walletDisconnected: { wallet: WalletConnection }
  /** The dialog covers the page, or no longer does. */
  open: Record<never, never>
  close: Record<never, never>
  /** The wallet was moved to another chain of the app, as a provider asked. */
  chainChanged: { chainId: number }
  /** A call waits for the user to verify themselves by one of these: with `mfa.noPromptOnMfaRequired`, your page asks. */
  mfaRequired: { methods: readonly MfaMethod[] }
  /** The dialog could not be reached, or was lost. The next call tries again. */
  error: { error: LatchkeyError }
}

/** A method of verification: an authenticator app, codes by SMS, or passkeys. */
export type MfaMethod = 'totp' | 'sms' | 'passkey'
