/**
 * The relay of WalletConnect, by which a browser reaches a wallet on another device. Browsers connect to it, this server
 * never does: a wallet proves its address by a signature, whichever way it came.
 */
import * as v from 'valibot'
import type { App } from '../../identity/apps/apps.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'
import type { PageSources } from '../../kernel/http/page-sources.ts'

const socketAddress = v.pipe(
  v.string(),
  v.check((value) => {
    const url = URL.parse(value)
    // The client adds its own query, and the policy of a page names the origin.
    return url !== null && /^wss?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  }, 'must be a WebSocket address without a query, as wss://relay.walletconnect.org'),
)

export const relayEnvironment = environmentPart({
  WALLETCONNECT_RELAY_URL: v.optional(socketAddress, 'wss://relay.walletconnect.org'),
})

const relayUrl = (config: ServerConfig): string => relayEnvironment.of(config).WALLETCONNECT_RELAY_URL

/** The relay wants to know on whose account it works. */
const isUsedBy = ({ config: { walletAuth, dappConnections, walletConnectCloudProjectId } }: App) =>
  (walletAuth || dappConnections) && walletConnectCloudProjectId !== null

export const relayAddresses = (app: App, config: ServerConfig) =>
  isUsedBy(app) ? { walletConnect: relayUrl(config) } : {}

export const relaySources = (app: App, config: ServerConfig): PageSources =>
  isUsedBy(app) ? { connect: [new URL(relayUrl(config)).origin] } : {}
