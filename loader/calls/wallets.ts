/** Calls that create, recover, export and fund the user's wallets, and return their providers. */
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
  /** Creates the user's Ethereum wallet. Rejects with `embedded_wallet_already_exists` if there is one. */
  createWallet(): Promise<WalletAccount>
  /**
   * Creates a Solana wallet. For a user with an Ethereum wallet, that wallet derives it, if the app setting
   * `solana_beside_ethereum` is on (`embedded_wallet_already_exists`). An Ethereum wallet may follow later.
   */
  createSolanaWallet(): Promise<WalletAccount>
  /**
   * Returns the EIP-1193 provider of the wallet. All callers share one; `eth_requestAccounts` logs the user in.
   */
  getEthereumProvider(options?: EthereumProviderOptions): Promise<EthereumProvider>
  /**
   * Returns the provider of the user's Solana wallet. Rejects with `embedded_wallet_not_found` if there is
   * none.
   */
  getSolanaProvider(options?: SolanaProviderOptions): Promise<SolanaProvider>
  /**
   * Opens the dialog to choose the wallet's recovery method. Rejects with `user_exited_set_password_flow` if
   * the user closes it.
   */
  setWalletRecovery(options?: CallOptions): Promise<WalletAccount>
  /**
   * Opens the dialog in which the user can copy their wallet's private key (`user_rejected_request`). Resolves
   * when the user leaves. The page never receives the key.
   */
  exportWallet(options?: CallOptions): Promise<void>
  /**
   * Opens the dialog in which the user imports a private key as their wallet (`user_rejected_request`). The
   * page cannot read what they type. Passing `privateKey` is refused unless the operator allowed it
   * (`not_supported`).
   */
  importWallet(privateKey?: string, options?: CallOptions): Promise<WalletAccount>
  /**
   * Opens the dialog to fund an embedded or linked wallet: buy by card, or show the address to send to
   * (`user_rejected_request`). Another call resumes an unfinished payment.
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
