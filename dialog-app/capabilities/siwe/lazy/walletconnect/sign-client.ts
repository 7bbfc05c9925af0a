/**
 * The official client behind a link. It remembers nothing, reports nothing and asks nobody but the relay: its storage is
 * one for all apps of this origin, its reports and its look at who we are go to hosts that our policy does not name.
 */
import { SignClient } from '@walletconnect/sign-client'
import type { Link, LinkSettings, RelaySession } from './link.ts'

type Client = InstanceType<typeof SignClient>
type Storage = NonNullable<NonNullable<Parameters<typeof SignClient.init>[0]>['storage']>
type Session = ReturnType<Client['session']['get']>

const methods = ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain']
const events = ['accountsChanged', 'chainChanged']
const userDisconnected = { code: 6000, message: 'User disconnected.' } as const

let opened = 0

export async function openLink({ appId, projectId, relayUrl, asker }: LinkSettings): Promise<Link> {
  opened += 1
  // A second client of one name would be the first again, with its connection closed.
  const name = `${appId}-${opened}`
  const client = await SignClient.init({
    projectId,
    relayUrl,
    metadata: {
      name: asker.name,
      description: '',
      url: '',
      icons: asker.icon === undefined ? [] : [asker.icon],
    },
    storage: createMemory(),
    telemetryEnabled: false,
    logger: 'silent',
    customStoragePrefix: name,
  })
  // The page that asks, as the message says it too. Said before, it would be put right to the dialog's own.
  client.metadata.url = asker.url
  // Would load the provider's page in a frame, which our policy refuses, and wait five seconds for it. The wallet shows
  // the page that asks as one that nobody vouches for.
  client.core.verify.register = async () => ''
  // A second after its start it looks through what an earlier run left, of which there is nothing, and would handle
  // again what arrives just then.
  client.core.relayer.messages.getWithoutAck = () => ({})
  return linkOf(client, name)
}

function linkOf(client: Client, name: string): Link {
  const { relayer, heartbeat } = client.core
  let isClosed = false
  const hangUp = () => void relayer.transportClose().catch(() => {})
  // A connection that was under way when it was closed.
  relayer.on('relayer_connect', () => isClosed && hangUp())
  // What it subscribes to while it has no connection it does by connecting, a hundred times a second; it subscribes
  // again with the next connection anyway. And what still waits for its turn would open a closed link again.
  const request: typeof relayer.request = relayer.request
  relayer.request = async (call) => {
    if (isClosed || (call.method === 'irn_batchSubscribe' && !relayer.connected))
      throw new Error('No connection')
    return request(call)
  }
  // A connection that was lost is wanted back a moment later, also where the link was closed in between.
  const transportOpen: typeof relayer.transportOpen = relayer.transportOpen.bind(relayer)
  relayer.transportOpen = async (url) => {
    if (isClosed) throw new Error('No connection')
    return transportOpen(url)
  }

  const present = (): Session | undefined => client.session.getAll()[0]

  return {
    async propose(chainIds) {
      const chains = chainIds.map((chainId) => `eip155:${chainId}`)
      const { uri = '', approval } = await client.connect({
        optionalNamespaces: { eip155: { chains, methods, events } },
      })
      // Asked for at once: an answer that came before would not be heard.
      const approved = approval().then(sessionOf)
      // Whoever gave up on the link hears no more of it.
      approved.catch(() => {})
      return { uri, approved }
    },
    session() {
      const session = present()
      return session && sessionOf(session)
    },
    async request({ chainId, method, params, deadlineSeconds: expiry }) {
      const topic = present()?.topic ?? ''
      return client.request({ topic, chainId: `eip155:${chainId}`, request: { method, params }, expiry })
    },
    async end() {
      // Saying it would connect anew, to a relay that is not there or does not want us.
      if (!relayer.connected) return
      for (const { topic } of [...client.session.getAll(), ...client.pairing.getAll()]) {
        await client.disconnect({ topic, reason: userDisconnected })
      }
    },
    onRefused: (listener) => relayer.once('relayer_error', ({ message }: Error) => listener(message)),
    close() {
      isClosed = true
      heartbeat.stop()
      hangUp()
      Reflect.deleteProperty(globalThis, `_walletConnectCore_${name}`)
    },
  }
}

/** Of Ethereum's chains; a wallet may have been given others as well. */
const account = /^eip155:(\d+):(0x[0-9a-fA-F]{40})$/

function sessionOf({ namespaces, peer }: Session): RelaySession {
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

function createMemory(): Storage {
  const kept = new Map<string, string>()
  return {
    getKeys: async () => [...kept.keys()],
    getEntries: async () => [...kept].map(([key, value]) => [key, JSON.parse(value)]),
    getItem: async (key) => JSON.parse(kept.get(key) ?? 'null') ?? undefined,
    setItem: async (key, value) => void kept.set(key, JSON.stringify(value)),
    removeItem: async (key) => void kept.delete(key),
  }
}
