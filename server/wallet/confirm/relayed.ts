/**
 * Restricts requests that a dapp sends through a relay. Its name and URL are self-declared, so the user must approve
 * on the confirmation page. A sign-in message must be for the dapp's own origin.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { isSignInFor } from '@latchkey/protocol/reading'
import { type ConfirmableRequest, type RelayedRequester, relayedRequester } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { mayEmbed } from '../../identity/apps/apps.ts'
import { isOwnAddress } from '../../kernel/config.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import type { Reading } from './reading/reading.ts'

export const parseRequester = (written: string): RelayedRequester =>
  v.parse(relayedRequester, JSON.parse(written))

const relayableMethods: readonly ConfirmableRequest['method'][] = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_signTransaction',
]

/** Throws for a method that no dapp may request, and for a dapp that claims an origin of the app or server. */
export function requireRelayable(
  { config }: Pick<ServerContext, 'config'>,
  app: App,
  request: ConfirmableRequest,
  { url }: RelayedRequester,
): void {
  if (!app.config.dappConnections) {
    throw new LatchkeyError('not_supported', 'This app does not allow dapp connections by link')
  }
  if (mayEmbed(app, url) || isOwnAddress(config, url)) {
    throw invalidData('requester.url', 'A dapp connected by link cannot use an origin of this app')
  }
  if (!relayableMethods.includes(request.method))
    throw invalidData('request.method', 'Dapps cannot request this method')
}

/** Throws if the message signs in at another origin than the dapp's. */
export function requireSignInAtDapp({ url }: RelayedRequester, reading: Reading): void {
  const domains = reading.kind === 'message' ? reading.signInDomains : []
  if (domains.every((domain) => isSignInFor(domain, [url]))) return
  throw new LatchkeyError('invalid_message', 'The message signs in at another site than the dapp’s')
}

const invalidData = (path: string, message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path } })
