import type { Latchkey, LatchkeyOptions } from '../types/latchkey.ts'
import { createFromNpm } from './from-npm.ts'

export type {
  CallOptions,
  ConnectOptions,
  EthereumProvider,
  EthereumProviderError,
  EthereumProviderEvents,
  EthereumProviderOptions,
  Latchkey,
  LatchkeyEvents,
  LatchkeyOptions,
  Preload,
  Ready,
  SolanaProvider,
  SolanaProviderOptions,
} from '../types/latchkey.ts'
export * from '../types/published.ts'

/**
 * Gives a handle on the login and wallet of an app. Call it as often as you like: handles of one app share one
 * frame. Throws a `LatchkeyError` when the options, the app id or the address cannot be ones. Outside a browser it does nothing,
 * and its calls reject with `not_supported`.
 */
export function createLatchkey(options: LatchkeyOptions): Latchkey {
  return createFromNpm(options)
}
