/** The module for npm: in words what a bundle may do wrong, and the tag of the script can not. */
import { LatchkeyError, productName } from '@latchkey/protocol'
import { invalid, objectIn } from '../calls/arguments.ts'
import type { Latchkey } from '../calls/latchkey.ts'
import { calls } from '../client/calls.ts'
import { refuseAll } from '../client/handle.ts'
import { openHandle } from '../client/open-handle.ts'
import { knownClient } from '../client/registry.ts'
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
  LatchkeyEvents,
  LatchkeyOptions,
  Preload,
  Ready,
  SolanaProvider,
  SolanaProviderOptions,
  WalletConnection,
} from '../types/options.ts'
export * from '../types/published.ts'

/** @internal The calls of a handle, for the module of React. */
export const namesOfCalls: readonly string[] = Object.keys(calls)

/** @internal The provider of the page, which is there before its dialog has come: for the module of wagmi. */
export const providerOnPage = (appId: string): EthereumProvider | undefined => knownClient(appId)?.provider

/**
 * Gives a handle on the login and wallet of an app. Call it as often as you like: handles of one app share one
 * frame. Throws a `LatchkeyError` when the options, the app id or the address cannot be ones. Outside a browser it does nothing,
 * and its calls reject with `not_supported`.
 */
export function createLatchkey(given: LatchkeyOptions): Latchkey {
  const options = checkOptions(given)
  const appId = checkAppId(options.appId)
  if (typeof document === 'undefined') {
    const message = `There is no browser here: ${productName} works in a page, and on a server its calls do nothing`
    return refuseAll(appId, new LatchkeyError('not_supported', message))
  }
  const dialogUrl = options.dialogUrl ?? knownClient(appId)?.dialogUrl
  if (dialogUrl === undefined) {
    throw invalid(
      'dialogUrl',
      'dialogUrl is missing: the address of the dialog, such as https://dialog.example',
    )
  }
  return openHandle({ ...options, dialogUrl }, loadSecondFile, checkListener)
}

/** Somebody may call it without types. */
function checkOptions(options: LatchkeyOptions): LatchkeyOptions {
  if (typeof options !== 'object' || options === null) {
    throw invalid('', 'createLatchkey() takes an object: { appId, dialogUrl }')
  }
  if (options.config !== undefined) objectIn('config', options.config)
  return options
}

/** A bundler may call it by another name, which the browser's own words have: they are the cause. */
const loadSecondFile: LoadSecondFile = () =>
  import('../lazy/second-file.ts').catch((cause) => {
    const message = `The second file of ${productName} (more.js, in a bundle more-….js) could not be loaded: was it left out of a deployment, or does script-src or an ad blocker keep it back?`
    throw new LatchkeyError('server_unreachable', message, { cause })
  })
