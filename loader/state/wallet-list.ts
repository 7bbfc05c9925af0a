/** The wallets of a snapshot: comparable data with methods that call the handle. */
import { productKey, productName } from '@latchkey/protocol'
import type { Latchkey } from '../calls/latchkey.ts'
import type {
  CallOptions,
  EthereumProvider,
  FundOptions,
  MessageToSign,
  SolanaProvider,
  TypedDataToSign,
  WalletConnection,
  WalletMeta,
} from '../types/options.ts'
import type {
  Funded,
  SendUi,
  SignedMessage,
  SignUi,
  TransactionReceipt,
  TransactionRequest,
  User,
  WalletAccount,
} from '../types/published.ts'

/**
 * `embedded`: this app's wallet; `cross_app`: a linked wallet of another app; `connected`: a wallet that the
 * page has connected.
 */
export type WalletKind = 'embedded' | 'cross_app' | 'connected'

type WalletData = {
  address: string
  kind: WalletKind
  /** A CAIP-2 chain id, such as `eip155:1`; null if unknown. */
  chainId: string | null
  /** `latchkey` for an embedded wallet, otherwise the type of the wallet software. */
  walletClientType: string
  connectorType: string
  /** Whether the wallet is a linked account of the user. */
  linked: boolean
  imported: boolean
}

/** A wallet for Ethereum and other EVM chains. */
export type EthereumWallet = WalletData & {
  chainType: 'ethereum'
  meta: WalletMeta
  /** Returns the wallet's EIP-1193 provider. */
  getEthereumProvider(): Promise<EthereumProvider>
  /** Switches to a chain, by number or hex string. */
  switchChain(chainId: number | `0x${string}`): Promise<void>
  signMessage(message: MessageToSign, options?: SignUi & CallOptions): Promise<SignedMessage>
  signTypedData(data: TypedDataToSign | string, options?: SignUi & CallOptions): Promise<SignedMessage>
  /**
   * Sends a transaction. Connected wallets and wallets of other apps return only the hash, without a receipt.
   */
  sendTransaction(transaction: TransactionRequest, options?: SendUi & CallOptions): Promise<SentTransaction>
  /** Links the wallet to the user, or logs in if there is no user. */
  loginOrLink(options?: CallOptions): Promise<User>
  unlink(options?: CallOptions): Promise<User>
  fund(options?: FundOptions & CallOptions): Promise<Funded>
  /** Defined only for connected wallets, because other wallets cannot be disconnected. */
  disconnect?(): Promise<void>
}

export type SolanaWallet = WalletData & {
  chainType: 'solana'
  meta: WalletMeta
  getSolanaProvider(): Promise<SolanaProvider>
  signMessage: SolanaProvider['signMessage']
  signIn: SolanaProvider['signIn']
  signTransaction: SolanaProvider['signTransaction']
  signAndSendTransaction: SolanaProvider['signAndSendTransaction']
  fund(options?: FundOptions & CallOptions): Promise<Funded>
}

/** A sent transaction. `receipt` is missing if the dialog did not wait for it to be mined. */
export type SentTransaction = { hash: `0x${string}`; receipt?: TransactionReceipt }

export const toSentTransaction = (receipt: TransactionReceipt): SentTransaction =>
  receipt.status === null ? { hash: receipt.transactionHash } : { hash: receipt.transactionHash, receipt }

type Wallets = {
  wallets: readonly EthereumWallet[]
  solanaWallets: readonly SolanaWallet[]
}
export type WalletSources = {
  user: User | null
  chain: string | null
  connected: readonly WalletConnection[]
}

/** Display data of embedded wallets, also those of other apps. */
const ownMeta: WalletMeta = Object.freeze({ id: productKey, name: productName })

/**
 * Creates a function that returns the wallets of a state. Unchanged wallets and lists stay the same objects.
 */
export function createWallets(latchkey: () => Latchkey, user: () => User | null) {
  let cache = new Map<string, EthereumWallet | SolanaWallet>()
  let lists: Wallets = { wallets: [], solanaWallets: [] }

  function ethereum(data: WalletData, connection?: WalletConnection, subject?: string): EthereumWallet {
    const { address, kind } = data
    const walletAddress = kind === 'cross_app' ? { address: address as `0x${string}` } : {}
    const provider = async () =>
      connection ? connection.provider : latchkey().getEthereumProvider({ ...walletAddress })
    const request = async (method: string, params: readonly unknown[]) =>
      (await provider()).request({ method, params })
    return {
      ...data,
      chainType: 'ethereum',
      meta: connection?.meta ?? ownMeta,
      getEthereumProvider: provider,
      async switchChain(chainId) {
        const hex = typeof chainId === 'number' ? `0x${chainId.toString(16)}` : chainId
        await request('wallet_switchEthereumChain', [{ chainId: hex }])
      },
      async signMessage(message, options) {
        if (!connection) return latchkey().signMessage(message, { ...options, ...walletAddress })
        const text = typeof message === 'string' ? toHex(message) : message.raw
        return toSignedMessage(address, await request('personal_sign', [text, address]))
      },
      async signTypedData(typed, options) {
        if (!connection) return latchkey().signTypedData(typed, { ...options, ...walletAddress })
        const text = typeof typed === 'string' ? typed : JSON.stringify(typed, bigintToDigits)
        return toSignedMessage(address, await request('eth_signTypedData_v4', [address, text]))
      },
      async sendTransaction(transaction, options) {
        if (!connection)
          return toSentTransaction(
            await latchkey().sendTransaction(transaction, { ...options, ...walletAddress }),
          )
        const hash = await request('eth_sendTransaction', [{ from: address, ...transaction }])
        return { hash: hash as `0x${string}` }
      },
      async loginOrLink(options) {
        return user() ? latchkey().linkWallet(options) : (await latchkey().login(options)).user
      },
      unlink: (options) =>
        subject === undefined
          ? latchkey().unlinkWallet(address, options)
          : latchkey().unlinkCrossAppAccount({ subject }, options),
      fund: (options) => latchkey().fundWallet(address, options),
      ...(connection && { disconnect: connection.disconnect }),
    }
  }

  function solana(data: WalletData): SolanaWallet {
    const provider = () => latchkey().getSolanaProvider()
    return {
      ...data,
      chainType: 'solana',
      meta: ownMeta,
      getSolanaProvider: provider,
      signMessage: async (message, options) => (await provider()).signMessage(message, options),
      signIn: async (input, options) => (await provider()).signIn(input, options),
      signTransaction: async (transaction, options) =>
        (await provider()).signTransaction(transaction, options),
      signAndSendTransaction: async (transaction, options) =>
        (await provider()).signAndSendTransaction(transaction, options),
      fund: (options) => latchkey().fundWallet(data.address, options),
    }
  }

  return ({ user, chain, connected }: WalletSources): Wallets => {
    const next = new Map<string, EthereumWallet | SolanaWallet>()
    const reuse = <Wallet extends EthereumWallet | SolanaWallet>(
      data: WalletData,
      create: (data: WalletData) => Wallet,
      source: object = Object,
    ): Wallet => {
      const key = JSON.stringify(data) + getIdentity(source)
      const wallet = (cache.get(key) as Wallet | undefined) ?? Object.freeze(create(data))
      next.set(key, wallet)
      return wallet
    }
    const accounts = user?.linkedAccounts ?? []
    const own = accounts.filter((account): account is WalletAccount => account.type === 'wallet')
    const embedded = own.filter(({ connectorType }) => connectorType === 'embedded')
    const toWalletData = (account: WalletAccount, chainId: string | null): WalletData => ({
      address: account.address,
      kind: 'embedded',
      chainId,
      walletClientType: account.walletClientType ?? 'latchkey',
      connectorType: 'embedded',
      linked: true,
      imported: account.imported ?? false,
    })
    const wallets = [
      ...embedded
        .filter(({ chainType }) => chainType === 'ethereum')
        .map((account) => reuse(toWalletData(account, chain), ethereum)),
      ...accounts.flatMap((account) =>
        account.type !== 'cross_app'
          ? []
          : account.embeddedWallets.map(({ address }) =>
              reuse(
                {
                  address,
                  kind: 'cross_app',
                  chainId: null,
                  walletClientType: 'latchkey',
                  connectorType: 'cross_app',
                  linked: true,
                  imported: false,
                },
                (data) => ethereum(data, undefined, account.subject),
              ),
            ),
      ),
      ...connected.map((connection) =>
        reuse(
          {
            address: connection.address,
            kind: 'connected',
            chainId: connection.chainId ?? null,
            walletClientType: connection.walletClientType ?? 'unknown',
            connectorType: connection.connectorType ?? 'unknown',
            linked: own.some((account) => isSameAddress(account.address, connection.address)),
            imported: false,
          },
          (data) => ethereum(data, connection),
          connection,
        ),
      ),
    ]
    const solanaWallets = embedded
      .filter(({ chainType }) => chainType === 'solana')
      .map((account) => reuse(toWalletData(account, null), solana))
    cache = next
    lists = {
      wallets: reuseList(lists.wallets, wallets),
      solanaWallets: reuseList(lists.solanaWallets, solanaWallets),
    }
    return lists
  }
}

const identities = new WeakMap<object, number>()
let lastIdentity = 0
function getIdentity(source: object): number {
  if (!identities.has(source)) identities.set(source, ++lastIdentity)
  return identities.get(source) ?? 0
}

const reuseList = <T>(before: readonly T[], next: readonly T[]): readonly T[] =>
  before.length === next.length && next.every((item, at) => item === before[at])
    ? before
    : Object.freeze(next)

export const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const toSignedMessage = (address: string, signature: unknown) => ({ address, signature }) as SignedMessage

const toHex = (text: string) =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Replaces bigints by their digits, because JSON has no bigint. */
const bigintToDigits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
