/** Calls for the wallets of a user: their making, recovery, export and funding, and their providers. */
import {
  ethereumAnswers,
  exportAnswers,
  fundingAnswers,
  importAnswers,
  recoveryAnswers,
  solanaAnswers,
  walletCreateAnswers,
} from '@latchkey/protocol/host'
import type {
  CallOptions,
  EthereumProvider,
  EthereumProviderOptions,
  FundOptions,
  SolanaProvider,
  SolanaProviderOptions,
} from '../types/options.ts'
import type { Funded, WalletAccount } from '../types/published.ts'
import { textIn } from './arguments.ts'
import { type LazyRows, type Messages, message, request, toNothing, withoutCard } from './row.ts'

export type WalletCalls = {
  createWallet(): Promise<WalletAccount>
  /** Makes the Solana wallet of a user who has no Ethereum wallet yet; an Ethereum wallet may follow. */
  createSolanaWallet(): Promise<WalletAccount>
  /** The wallet as libraries drive one (EIP-1193). All callers share one; `eth_requestAccounts` logs in. */
  getEthereumProvider(options?: EthereumProviderOptions): Promise<EthereumProvider>
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
}

/** @internal */
export const walletRows: LazyRows<WalletCalls> = {
  createWallet: withoutCard,
  createSolanaWallet: withoutCard,
  getEthereumProvider: withoutCard,
  getSolanaProvider: withoutCard,
  setWalletRecovery: { refusal: 'user_exited_set_password_flow' },
  exportWallet: request,
  importWallet: request,
  fundWallet: request,
}

const walletIn = (options: EthereumProviderOptions | undefined) =>
  options?.address === undefined ? {} : { wallet: textIn('address', options.address) }

/** @internal */
export const walletMessages = (): Messages<WalletCalls> => ({
  createWallet: message(
    'createWallet',
    walletCreateAnswers.createWallet,
    () => ({}),
    ({ wallet }) => wallet,
  ),
  createSolanaWallet: message(
    'createSolanaWallet',
    solanaAnswers.createSolanaWallet,
    () => ({}),
    ({ wallet }) => wallet,
  ),
  getEthereumProvider: message(
    'ethereumState',
    ethereumAnswers.ethereumState,
    (options?: EthereumProviderOptions) => ({
      announce: options?.announce === true,
      ...walletIn(options),
    }),
    (state, providers) => providers.ethereum(state),
  ),
  getSolanaProvider: message(
    'solanaWallet',
    solanaAnswers.solanaWallet,
    (options?: SolanaProviderOptions) => ({ announce: options?.announce === true }),
    (wallet, providers) => providers.solana(wallet),
  ),
  setWalletRecovery: message(
    'setWalletRecovery',
    recoveryAnswers.setWalletRecovery,
    () => ({}),
    ({ wallet }) => wallet,
  ),
  exportWallet: message('exportWallet', exportAnswers.exportWallet, () => ({}), toNothing),
  importWallet: message(
    'importWallet',
    importAnswers.importWallet,
    (privateKey?: string) =>
      privateKey === undefined ? {} : { privateKey: textIn('privateKey', privateKey) },
    ({ wallet }) => wallet,
  ),
  fundWallet: message(
    'fundWallet',
    fundingAnswers.fundWallet,
    (address: string, options?: FundOptions & CallOptions) => {
      const { provider, config } = { ...options }
      return {
        address: textIn('address', address),
        ...(provider !== undefined && { provider }),
        ...(config !== undefined && { config }),
      }
    },
    (funded) => funded,
  ),
})
