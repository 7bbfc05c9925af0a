/** The official client in its role as a wallet. */
import { type Client, openRelayClient } from '../../../../walletconnect/relay-client.ts'
import type {
  DappClient,
  DappClientSettings,
  DappEvents,
  DappSession,
  OpenDappClient,
} from '../../dapp-client.ts'
import type { Kept } from '../../kept.ts'
import { chainName } from '../../proposal/proposal.ts'
import { refusals } from '../../refusals.ts'

type Session = ReturnType<Client['session']['get']>

export const openWalletClient =
  ({ storage }: Pick<Kept, 'storage'>): OpenDappClient =>
  async ({ name, projectId, relayUrl, wallet }: DappClientSettings, events) => {
    const { client, close } = await openRelayClient({
      name,
      projectId,
      relayUrl,
      metadata: wallet,
      storage,
      // Responds to a request even while the user reviews another.
      signConfig: { disableRequestQueue: true },
    })
    listen(client, events)
    return toDappClient(client, close)
  }

function listen(client: Client, events: DappEvents) {
  client.on('session_proposal', ({ id, params }) => {
    const { proposer, pairingTopic, requiredNamespaces, optionalNamespaces, expiryTimestamp } = params
    events.proposed({
      id,
      pairingTopic,
      metadata: proposer.metadata,
      required: requiredNamespaces,
      optional: optionalNamespaces ?? {},
      expiresAtMs: expiryTimestamp * 1_000,
    })
  })
  client.on('proposal_expire', ({ id }) => events.proposalExpired(id))
  client.on('session_request', ({ id, topic, params: { chainId: chain, request } }) => {
    const { method, params, expiryTimestamp = 0 } = request
    events.asked({ id, topic, chain, method, params, expiresAtMs: expiryTimestamp * 1_000 })
  })
  client.on('session_delete', ({ topic }) => events.ended(topic))
  client.on('session_expire', ({ topic }) => events.ended(topic))
  client.core.relayer.on('relayer_error', ({ message }: Error) => events.refused(message))
}

function toDappClient(client: Client, close: () => void): DappClient {
  const { pairing, relayer, crypto } = client.core
  const sessionAt = (topic: string) => client.session.getAll().find((each) => each.topic === topic)

  return {
    pair: async (uri) => void (await client.core.pairing.pair({ uri })),
    async unpair(topic) {
      if (pairing.getPairings().some((each) => each.topic === topic)) await pairing.disconnect({ topic })
    },
    async approve(id, namespaces) {
      const { acknowledged } = await client.approve({ id, namespaces })
      return toDappSession(await acknowledged())
    },
    reject: (id, reason) => client.reject({ id, reason }),
    sessions: () => client.session.getAll().map(toDappSession),
    respond: ({ id, topic }, answer) =>
      client.respond({ topic, response: { id, jsonrpc: '2.0', ...answer } }),
    async moveTo(topic, namespaces, chainId) {
      const { acknowledged } = await client.update({ topic, namespaces })
      // Not awaited, because the next request names its chain.
      acknowledged().catch(() => {})
      const event = { name: 'chainChanged', data: chainId }
      await client.emit({ topic, event, chainId: chainName(chainId) })
    },
    async end(topic) {
      if (!sessionAt(topic)) return
      try {
        // Without a connection, `disconnect` would reconnect to a relay that is unreachable or refuses this app.
        if (relayer.connected) await client.disconnect({ topic, reason: refusals.disconnected })
      } finally {
        if (sessionAt(topic)) {
          await client.session.delete(topic, refusals.disconnected)
          await crypto.deleteSymKey(topic)
        }
      }
    },
    close,
  }
}

const toDappSession = ({ topic, peer, namespaces }: Session): DappSession => ({
  topic,
  metadata: peer.metadata,
  chains: Object.values(namespaces).flatMap(({ chains = [] }) => chains),
})
