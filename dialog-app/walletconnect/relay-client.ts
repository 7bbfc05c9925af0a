/**
 * Creates the official client for either side of a connection. It contacts only the relay: the CSP blocks its
 * telemetry and verification hosts. Its state is in the given storage, or in memory without one, because its own
 * storage would be shared by all apps of this origin.
 */
import { SignClient } from '@walletconnect/sign-client'
import { RelayCore } from './relay-core.ts'

export type Client = InstanceType<typeof SignClient>
type Options = NonNullable<Parameters<typeof SignClient.init>[0]>
export type Storage = NonNullable<Options['storage']>

export type RelayClientSettings = {
  /** The client's name in its storage. A second client with the same name would reuse the closed first one. */
  name: string
  projectId: string
  relayUrl: string
  /** The metadata that the other side displays. */
  metadata: { name: string; url: string; icon: string | undefined }
  storage?: Storage
  signConfig?: Options['signConfig']
}

export type RelayClient = { client: Client; close: () => void }

export async function openRelayClient({
  name,
  projectId,
  relayUrl,
  metadata: { url, icon, ...named },
  storage,
  signConfig,
}: RelayClientSettings): Promise<RelayClient> {
  const logger = 'silent'
  const core = new RelayCore(
    {
      projectId,
      relayUrl,
      storage: storage ?? createMemory(),
      telemetryEnabled: false,
      logger,
      customStoragePrefix: name,
    },
    { resumes: storage !== undefined },
  )
  const client = await SignClient.init({
    core,
    metadata: { ...named, description: '', url: '', icons: icon === undefined ? [] : [icon] },
    logger,
    ...(signConfig && { signConfig }),
  })
  // Set after creation, because the client would replace an earlier value with the dialog's own URL.
  client.metadata.url = url
  return { client, close: () => core.close() }
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
