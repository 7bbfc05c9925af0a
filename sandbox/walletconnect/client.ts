/** The official client, kept on this machine: it remembers nothing, reports nothing, and asks nobody but the relay. */
import { SignClient } from '@walletconnect/sign-client'

export type Client = InstanceType<typeof SignClient>

type Storage = NonNullable<NonNullable<Parameters<typeof SignClient.init>[0]>['storage']>

const projectId = '0'.repeat(32)
let opened = 0

export async function openClient(as: { name: string; relayUrl: string }): Promise<Client> {
  opened += 1
  const client = await SignClient.init({
    projectId,
    relayUrl: as.relayUrl,
    metadata: {
      name: as.name,
      description: as.name,
      url: 'http://sandbox.localhost',
      icons: [],
      redirect: { universal: 'https://phone.sandbox.example/app' },
    },
    storage: createMemory(),
    telemetryEnabled: false,
    logger: 'silent',
    // Two clients of one name in a process would be one.
    customStoragePrefix: `sandbox-${opened}`,
  })
  // Whether an origin is known to be good would be asked at the provider's.
  client.core.verify.register = async () => ''
  client.core.verify.resolve = async () => ({ origin: '' })
  // A second after its start it looks through what an earlier run left, of which there is nothing, and would handle
  // again what arrives just then.
  client.core.relayer.messages.getWithoutAck = () => ({})
  // The client pauses for a second after each request. The stand-in answers without this pause.
  Object.assign(client.engine, { requestQueueDelay: 0 })
  // Without a connection it subscribes by connecting, a hundred times a second; it does so again with the next one.
  const { relayer } = client.core
  const request: typeof relayer.request = relayer.request
  relayer.request = async (call) => {
    if (call.method === 'irn_batchSubscribe' && !relayer.connected) throw new Error('No connection')
    return request(call)
  }
  return client
}

/** Ends the timers and the connection of a client. */
export async function closeClient({ core }: Client): Promise<void> {
  core.heartbeat.stop()
  await core.relayer.transportClose()
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
