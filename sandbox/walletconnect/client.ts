/** The official client without persistence and telemetry. It connects only to the sandbox relay. */
import { SignClient } from '@walletconnect/sign-client'

export type Client = InstanceType<typeof SignClient>

type Storage = NonNullable<NonNullable<Parameters<typeof SignClient.init>[0]>['storage']>

const projectId = '0'.repeat(32)
let clientCount = 0

export async function openClient(as: { name: string; relayUrl: string }): Promise<Client> {
  clientCount += 1
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
    // Clients with the same prefix would share their state within a process.
    customStoragePrefix: `sandbox-${clientCount}`,
  })
  // Skip origin verification, which would call the provider's server.
  client.core.verify.register = async () => ''
  client.core.verify.resolve = async () => ({ origin: '' })
  // The client replays messages of earlier runs a second after its start. There are none, and it would
  // process a message of that moment twice.
  client.core.relayer.messages.getWithoutAck = () => ({})
  // The client pauses for a second after each request. The stand-in does not.
  Object.assign(client.engine, { requestQueueDelay: 0 })
  // Without a connection the client retries its subscriptions a hundred times a second. Fail early: it
  // subscribes again on the next connection.
  const { relayer } = client.core
  const request: typeof relayer.request = relayer.request
  relayer.request = async (call) => {
    if (call.method === 'irn_batchSubscribe' && !relayer.connected) throw new Error('No connection')
    return request(call)
  }
  return client
}

/** Stops the timers and closes the connection of a client. */
export async function closeClient({ core }: Client): Promise<void> {
  core.heartbeat.stop()
  await core.relayer.transportClose()
}

function createMemory(): Storage {
  const entries = new Map<string, string>()
  return {
    getKeys: async () => [...entries.keys()],
    getEntries: async () => [...entries].map(([key, value]) => [key, JSON.parse(value)]),
    getItem: async (key) => JSON.parse(entries.get(key) ?? 'null') ?? undefined,
    setItem: async (key, value) => void entries.set(key, JSON.stringify(value)),
    removeItem: async (key) => void entries.delete(key),
  }
}
