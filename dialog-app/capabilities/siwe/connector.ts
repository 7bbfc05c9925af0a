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
  /** As the server keeps it with the account. */
  readonly connectorType: 'injected' | 'wallet_connect'
  /** Asks for an account, and waits for its user. May be called again after it failed. */
  readonly connect: (asker: ConnectAsker) => Promise<ConnectedWallet>
  /** `personal_sign`, of the text as it is written. */
  readonly sign: (message: string, address: string, asker: WalletAsker) => Promise<string>
  /** Pays on the chain that the wallet is on by then; the hash of what it sent. */
  readonly pay: (payment: Payment, asker: WalletAsker) => Promise<string>
  /** Missing where the wallet has no say in it. */
  readonly switchChain?: (chainId: number, asker: WalletAsker) => Promise<void>
  /** Ends what it keeps open. Of a wallet that keeps nothing there is none. */
  readonly disconnect?: () => Promise<void>
}

export type Payment = {
  readonly from: string
  readonly to: string
  /** In the smallest unit of the chain's coin. */
  readonly value: bigint
  readonly chainId: number
}

/** As EIP-1193 asks for it. */
export const paymentParams = ({ from, to, value, chainId }: Payment) => [
  { from, to, value: `0x${value.toString(16)}`, chainId: `0x${chainId.toString(16)}` },
]

export type WalletAsker = { readonly signal: AbortSignal }

export type ConnectAsker = WalletAsker & {
  /** Told of what a phone scans or opens to join, and again when that changes: shown as a QR code or as a link. */
  readonly onUri: (uri: string) => void
  /** The account that is wanted, if the wallet has it among those that it brings. */
  readonly wanted?: string | undefined
}

export type ConnectedWallet = {
  /** `0x` and forty digits, in whatever case the wallet writes them. */
  readonly address: string
  readonly chainId: number
  /** How the wallet calls itself, where that was not known before it was connected. */
  readonly peer?: { readonly name: string; readonly walletClientType?: string }
  /** Where its app opens on a phone, by its own word. */
  readonly appLink?: string
}

/** However each of them writes it. */
export const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Opens a connector for one login, link or connection. Its code, and what it needs of the network, come with that. */
export type OpenConnector = () => Promise<Connector>
