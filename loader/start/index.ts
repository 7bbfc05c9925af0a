/** The npm module. It reports mistakes that only a bundle can make, with detailed messages. */
import { LatchkeyError, productName } from '@latchkey/protocol'
import { invalid, objectIn } from '../calls/arguments.ts'
import type { Latchkey } from '../calls/latchkey.ts'
import { calls } from '../client/calls.ts'
import { refuseAll } from '../client/handle.ts'
import { openHandle } from '../client/open-handle.ts'
import { findClient } from '../client/registry.ts'
import type { LoadSecondFile } from '../client/second-file.ts'
import { checkAppId } from '../frame/dialog-address.ts'
import type { EthereumProvider, LatchkeyOptions } from '../types/options.ts'
import { checkListener } from './check-listener.ts'

export type { Latchkey } from '../calls/latchkey.ts'
export type {
  CallOptions,
  ConnectOptions,
  EthereumProvider,
  EthereumProviderError,
  EthereumProviderEvents,
  EthereumProviderOptions,
  HostLogin,
  LatchkeyEvents,
  LatchkeyOptions,
  Preload,
  Ready,
  SolanaProvider,
  SolanaProviderOptions,
  SolanaSendOptions,
  SolanaSignInInput,
  WalletConnection,
} from '../types/options.ts'
export * from '../types/published.ts'

/** @internal The names of a handle's calls, for the React module. */
export const handleCallNames: readonly string[] = Object.keys(calls)

/** @internal Returns the page's provider, which exists before its dialog has loaded, for the wagmi module. */
export const getPageProvider = (appId: string): EthereumProvider | undefined => findClient(appId)?.provider

/**
 * Creates a handle on an app's login and wallet. Call it as often as you like: handles of one app share one
 * frame.
 *
 * Throws a `LatchkeyError` if the options, the app id or the dialog URL are invalid. On a server the handle
 * does nothing, and its calls reject with `not_supported`.
 */
export function createLatchkey(given: LatchkeyOptions): Latchkey {
  const options = checkOptions(given)
  const appId = checkAppId(options.appId)
  if (typeof document === 'undefined') {
    const message = `${productName} runs in the browser only. On a server, its calls reject with not_supported.`
    return refuseAll(appId, new LatchkeyError('not_supported', message))
  }
  const dialogUrl = options.dialogUrl ?? findClient(appId)?.dialogUrl
  if (dialogUrl === undefined) {
    throw invalid(
      'dialogUrl',
      'dialogUrl is missing. Pass the URL of the dialog, such as https://dialog.example',
    )
  }
  return openHandle({ ...options, dialogUrl }, loadSecondFile, checkListener)
}

/** Validates the options for callers without types. */
function checkOptions(options: LatchkeyOptions): LatchkeyOptions {
  if (typeof options !== 'object' || options === null) {
    throw invalid('', 'createLatchkey() takes an object: { appId, dialogUrl }')
  }
  if (options.config !== undefined) objectIn('config', options.config)
  if (options.auth !== undefined && typeof options.auth?.getToken !== 'function') {
    throw invalid('auth.getToken', 'auth.getToken must be a function that returns a token or null')
  }
  return options
}

/** Loads the second file. Bundlers may rename it; the browser's error with the actual name is the cause. */
const loadSecondFile: LoadSecondFile = () =>
  import('../lazy/second-file.ts').catch((cause) => {
    const message = `Could not load the second file of ${productName} (more.js, or more-….js in a bundle). Check that it is deployed and that script-src and ad blockers allow it.`
    throw new LatchkeyError('server_unreachable', message, { cause })
  })
