/**
 * The official client on a relay, for whichever side of it the dialog is. It reports nothing and asks nobody but the
 * relay: its reports and its look at who we are go to hosts that our policy does not name. It remembers what its
 * storage does, and nothing without one: its own would be one for all apps of this origin.
 */
import { SignClient } from '@walletconnect/sign-client'
import { RelayCore } from './relay-core.ts'

export type Client = InstanceType<typeof SignClient>
type Options = NonNullable<Parameters<typeof SignClient.init>[0]>
export type Storage = NonNullable<Options['storage']>

export type RelayClientSettings = {
  /** The name of the client in its storage. A second client of one name would be the first again, with its connection closed. */
  name: string
  projectId: string
  relayUrl: string
  /** What the other side shows of this one. */
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
  // The page that is meant. Said before, it would be put right to the dialog's own.
  client.metadata.url = url
  return { client, close: () => core.close() }
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
