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
  chainChanged: true,
}

/**
 * A listener that would never hear anything. The module for npm alone asks: the names cost the script bytes, and its
 * queue hands listeners over when nobody is there any more to catch what is thrown.
 */
export function checkListener(name: unknown, listener: unknown): void {
  if (typeof name !== 'string' || !Object.hasOwn(names, name)) {
    throw invalid('name', `There is no event ${String(name)}`)
  }
  if (typeof listener !== 'function') throw invalid('listener', `What listens to ${name} must be a function`)
}
