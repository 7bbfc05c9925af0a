/**
 * The official client on a relay, for whichever side of it the dialog is. It reports nothing and asks nobody but the
 * relay: its reports and its look at who we are go to hosts that our policy does not name. It remembers what its
 * storage does: its own would be one for all apps of this origin.
 */
import { SignClient } from '@walletconnect/sign-client'

export type Client = InstanceType<typeof SignClient>
type Options = NonNullable<Parameters<typeof SignClient.init>[0]>
export type Storage = NonNullable<Options['storage']>

export type RelayClientSettings = {
  /** The name of the client in its storage. A second client of one name would be the first again, with its connection closed. */
  readonly name: string
  readonly projectId: string
  readonly relayUrl: string
  /** What the other side shows of this one. */
  readonly metadata: { readonly name: string; readonly url: string; readonly icon: string | undefined }
  readonly storage: Storage
  readonly signConfig?: Options['signConfig']
}

export type RelayClient = { readonly client: Client; readonly close: () => void }

export async function openRelayClient({
  name,
  projectId,
  relayUrl,
  metadata: { url, icon, ...named },
  storage,
  signConfig,
}: RelayClientSettings): Promise<RelayClient> {
  const client = await SignClient.init({
    projectId,
    relayUrl,
    metadata: { ...named, description: '', url: '', icons: icon === undefined ? [] : [icon] },
    storage,
    telemetryEnabled: false,
    logger: 'silent',
    customStoragePrefix: name,
    ...(signConfig && { signConfig }),
  })
  // The page that is meant. Said before, it would be put right to the dialog's own.
  client.metadata.url = url
  // Would load the provider's page in a frame, which our policy refuses, and wait five seconds for it. The other side
  // is shown as one that nobody vouches for, and shows us as one.
  client.core.verify.register = async () => ''
  client.core.verify.resolve = async () => ({ origin: '' })
  return { client, close: closing(client, name) }
}

function closing(client: Client, name: string): () => void {
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
  return () => {
    isClosed = true
    heartbeat.stop()
    hangUp()
    Reflect.deleteProperty(globalThis, `_walletConnectCore_${name}`)
  }
}
