/**
 * A connection to one external wallet, through an extension in the host page or through a relay. Login, link and
 * connect flows use only this interface.
 *
 * Failed calls reject with an error code:
 * - `user_rejected_request`: the user rejected the request.
 * - `wallet_request_pending`: an earlier request is still open in the wallet.
 * - `client_request_timeout`: the wallet did not respond in time.
 * - `unsupported_chain_id`: the wallet does not support the chain.
 * - `generic_connect_wallet_error`: any other failure.
 *
 * Aborting the signal cancels the request.
 */
export type Connector = {
  /** The value that the server stores with the account. */
  connectorType: 'injected' | 'wallet_connect' | 'wallet_standard'
  /** Requests an account, and waits for the user. Can be called again after a failure. */
  connect: (asker: ConnectAsker) => Promise<ConnectedWallet>
  /** Requests `personal_sign` of the unmodified text. */
  sign: (message: string, address: string, asker: WalletAsker) => Promise<string>
  /** Signs a login of Solana. The wallet may write the text itself. Undefined for wallets of Ethereum. */
  signIn?: (login: SolanaSignIn, asker: WalletAsker) => Promise<SignedLogin>
  /** Sends the payment on the wallet's current chain. Resolves with the transaction hash. */
  pay: (payment: Payment, asker: WalletAsker) => Promise<string>
  /** Undefined if the wallet does not control the chain. */
  switchChain?: (chainId: number, asker: WalletAsker) => Promise<void>
  /** Forwards any other request of the host page. Undefined if the page reaches the wallet itself. */
  request?: (method: string, params: readonly unknown[], asker: WalletAsker) => Promise<unknown>
  /** Whether the wallet still has the connection. */
  isPresent?: () => boolean
  /** Closes the connection. Undefined for wallets without an open connection. */
  disconnect?: () => Promise<void>
}

/** The fields of the message, for wallets that write it, and its text for all others. */
export type SolanaSignIn = { address: string; text: string; fields: Readonly<Record<string, string>> }
export type SignedLogin = { message: string; signature: string }

export type Payment = {
  from: string
  to: string
  /** The amount in the smallest unit of the chain's native currency. */
  value: bigint
  chainId: number
}

/** The parameters of `eth_sendTransaction` (EIP-1193). */
export const paymentParams = ({ from, to, value, chainId }: Payment) => [
  { from, to, value: `0x${value.toString(16)}`, chainId: `0x${chainId.toString(16)}` },
]

export type WalletAsker = { signal: AbortSignal }

export type ConnectAsker = WalletAsker & {
  /** Receives the pairing URI for the QR code or link, and each new URI. */
  onUri: (uri: string) => void
  /** The preferred account, used if the wallet exposes it. */
  wanted?: string | undefined
}

export type ConnectedWallet = {
  /** `0x` and 40 hex digits in any letter case, or a Solana address. */
  address: string
  /** 0 for Solana, which has no EIP-155 chain. */
  chainId: number
  /** The name that the wallet reports on connecting, if it was unknown before. */
  peer?: { name: string; walletClientType?: string }
  /** The link to the wallet's app on a phone, as reported by the wallet. */
  appLink?: string
}

/** Compares addresses case-insensitively, because wallets use different letter cases. */
export const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Opens a connector for one login, link or connection. Loads its code and connects to the network on demand. */
export type OpenConnector = () => Promise<Connector>
