/**
 * One wallet that the person brings, whatever it is reached through: an extension in the host's page, or a relay. The
 * flow of a login, a link or a connection alone asks nothing else of it.
 *
 * Whatever a wallet refuses or fails at rejects with a code: `user_rejected_request` where its user refused,
 * `wallet_request_pending` where an earlier request is still open in it, `client_request_timeout` where it did not
 * answer in time, `unsupported_chain_id` where it does not know a chain, `generic_connect_wallet_error` for anything
 * else. A signal that ends takes the question back.
 */
export type Connector = {
  /** The value that the server keeps with the account. */
  connectorType: 'injected' | 'wallet_connect'
  /** Asks for an account, and waits for its user. May be called again after it failed. */
  connect: (asker: ConnectAsker) => Promise<ConnectedWallet>
  /** Asks for `personal_sign` of the text as it is written. */
  sign: (message: string, address: string, asker: WalletAsker) => Promise<string>
  /** Pays on the chain that the wallet is on by then, and resolves with the hash of what it sent. */
  pay: (payment: Payment, asker: WalletAsker) => Promise<string>
  /** This is missing where the wallet has no say in it. */
  switchChain?: (chainId: number, asker: WalletAsker) => Promise<void>
  /** Asks it for anything else that a page may ask a wallet for. This is missing where the page asks the wallet itself. */
  request?: (method: string, params: readonly unknown[], asker: WalletAsker) => Promise<unknown>
  /** Whether the wallet still has the connection. */
  isPresent?: () => boolean
  /** Ends what it keeps open. A wallet that keeps nothing open has none. */
  disconnect?: () => Promise<void>
}

export type Payment = {
  from: string
  to: string
  /** The amount is in the smallest unit of the chain's coin. */
  value: bigint
  chainId: number
}

/** The parameters of `eth_sendTransaction` (EIP-1193). */
export const paymentParams = ({ from, to, value, chainId }: Payment) => [
  { from, to, value: `0x${value.toString(16)}`, chainId: `0x${chainId.toString(16)}` },
]

export type WalletAsker = { signal: AbortSignal }

export type ConnectAsker = WalletAsker & {
  /** This is told what a phone scans or opens to join, and again when that changes: a QR code or a link shows it. */
  onUri: (uri: string) => void
  /** The account that is wanted, if the wallet has it among those that it brings. */
  wanted?: string | undefined
}

export type ConnectedWallet = {
  /** The address is `0x` and forty digits, in whatever case the wallet writes them. */
  address: string
  chainId: number
  /** The wallet calls itself so, where that was not known before it was connected. */
  peer?: { name: string; walletClientType?: string }
  /** The wallet says that its app opens there on a phone. */
  appLink?: string
}

/** Wallets write the letters of an address in different cases. */
export const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Opens a connector for one login, link or connection. Its code, and what it needs of the network, come with that. */
export type OpenConnector = () => Promise<Connector>
