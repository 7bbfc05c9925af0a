/**
 * What a dapp asks for through a relay. Its name and address are what it says of itself, so its user alone can say, on
 * the page, whether they mean it; and it logs nobody in anywhere but at its own address.
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

export const requesterOf = (written: string): RelayedRequester =>
  v.parse(relayedRequester, JSON.parse(written))

const relayable: readonly ConfirmableRequest['method'][] = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_signTransaction',
]

/** Throws for what no dapp may ask for, and for one that takes the name of a page which the user trusts here. */
export function requireRelayable(
  { config }: Pick<ServerContext, 'config'>,
  app: App,
  request: ConfirmableRequest,
  { url }: RelayedRequester,
): void {
  if (!app.config.dappConnections) {
    throw new LatchkeyError('not_supported', 'This app connects no dapps by a link')
  }
  if (mayEmbed(app, url) || isOwnAddress(config, url)) {
    throw invalid('requester.url', 'A dapp that was connected by a link is not this app')
  }
  if (!relayable.includes(request.method)) throw invalid('request.method', 'No dapp may ask for this')
}

/** A message of a dapp logs its user in at the address of that dapp alone. */
export function requireSignInOf({ url }: RelayedRequester, reading: Reading): void {
  const domains = reading.kind === 'message' ? reading.signInDomains : []
  if (domains.every((domain) => isSignInFor(domain, [url]))) return
  throw new LatchkeyError('invalid_message', 'The message logs its signer in at another site than the dapp’s')
}

const invalid = (path: string, message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path } })
