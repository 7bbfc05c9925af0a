import { invalid } from '../calls/arguments.ts'
import type { LatchkeyEvents } from '../types/options.ts'

const names: { [Name in keyof LatchkeyEvents]: true } = {
  ready: true,
  login: true,
  logout: true,
  user: true,
  token: true,
  drawn: true,
  walletConnected: true,
  walletDisconnected: true,
  open: true,
  close: true,
  error: true,
  oauthTokens: true,
  mfaRequired: true,
  hostLoginFailed: true,
  chainChanged: true,
}

/**
 * Throws if the event does not exist or the listener is not a function. Only the npm module checks this. In the
 * script the names would cost bytes, and its queue adds listeners when no caller can catch the error.
 */
export function checkListener(name: unknown, listener: unknown): void {
  if (typeof name !== 'string' || !Object.hasOwn(names, name)) {
    throw invalid('name', `Unknown event "${String(name)}"`)
  }
  if (typeof listener !== 'function')
    throw invalid('listener', `The listener for "${name}" must be a function`)
}
