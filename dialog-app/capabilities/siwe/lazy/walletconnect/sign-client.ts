/** Implements `Link` with the official client and without persistent storage. */
import { type Client, openRelayClient, type RelayClient } from '../../../../walletconnect/relay-client.ts'
import type { Link, LinkSettings, RelaySession } from './link.ts'

type Session = ReturnType<Client['session']['get']>

const methods = ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain']
const events = ['accountsChanged', 'chainChanged']
const userDisconnected = { code: 6000, message: 'User disconnected.' } as const

let opened = 0

export async function openLink({ appId, projectId, relayUrl, asker }: LinkSettings): Promise<Link> {
  opened += 1
  const { client, close } = await openRelayClient({
    // The library caches clients by name, and would return the closed first client for the same name.
    name: `${appId}-${opened}`,
    projectId,
    relayUrl,
    metadata: asker,
  })
  return createLink(client, close)
}

function createLink(client: Client, close: RelayClient['close']): Link {
  const { relayer } = client.core
  const present = (): Session | undefined => client.session.getAll()[0]

  return {
    async propose(chainIds) {
      const chains = chainIds.map((chainId) => `eip155:${chainId}`)
      const { uri = '', approval } = await client.connect({
        optionalNamespaces: { eip155: { chains, methods, events } },
      })
      // Subscribes immediately, because an earlier approval would be missed.
      const approved = approval().then(toRelaySession)
      // Prevents an unhandled rejection if the caller has abandoned the link.
      approved.catch(() => {})
      return { uri, approved }
    },
    session() {
      const session = present()
      return session && toRelaySession(session)
    },
    async request({ chainId, method, params, deadlineSeconds: expiry }) {
      const topic = present()?.topic ?? ''
      return client.request({ topic, chainId: `eip155:${chainId}`, request: { method, params }, expiry })
    },
    async end() {
      // Disconnecting while offline would reconnect to a relay that is unreachable or rejects this app.
      if (!relayer.connected) return
      for (const { topic } of [...client.session.getAll(), ...client.pairing.getAll()]) {
        await client.disconnect({ topic, reason: userDisconnected })
      }
    },
    onRefused: (listener) => relayer.once('relayer_error', ({ message }: Error) => listener(message)),
    close,
  }
}

/** Matches accounts on EIP-155 chains. Wallets may list accounts on other chains too. */
const account = /^eip155:(\d+):(0x[0-9a-fA-F]{40})$/

function toRelaySession({ namespaces, peer }: Session): RelaySession {
  const ethereum = Object.entries(namespaces)
    .filter(([namespace]) => /^eip155(:|$)/.test(namespace))
    .map(([, namespace]) => namespace)
  return {
    accounts: ethereum
      .flatMap(({ accounts }) => accounts)
      .flatMap((written) => {
        const [, chainId, address] = account.exec(written) ?? []
        return address === undefined ? [] : [{ chainId: Number(chainId), address }]
      }),
    methods: ethereum.flatMap(({ methods }) => methods),
    walletName: peer.metadata.name,
    appLink: peer.metadata.redirect?.universal,
  }
}
