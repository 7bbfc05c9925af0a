/** The React module: a provider, hooks and two components. */
export type {
  EthereumWallet,
  LatchkeyState,
  SentTransaction,
  SolanaWallet,
  WalletKind,
} from '../state/state.ts'
export type { Actions, AppOptions } from './app.ts'
export type { Callbacks, ErrorCallback } from './callbacks.ts'
export * from './components.ts'
export * from './hooks.ts'
export { LatchkeyProvider, type LatchkeyProviderProps } from './provider.ts'
