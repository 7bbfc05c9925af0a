import { channelLimits, LatchkeyError, product } from '@latchkey/protocol'
import { type Client, createClient } from './client.ts'
import { openConnection } from './connection.ts'

/**
 * The clients of this page. On a global symbol, because a page may hold the loader more than once: the script
 * tag and a bundle, or a bundle that a development server replaced.
 */
type Entry = { readonly client: Client; handles: number }
type Registry = Map<string, Entry>

const symbol = Symbol.for(`${product.key}.clients.${channelLimits.protocolVersion}`)

function registry(): Registry {
  const holder: typeof globalThis & { [symbol]?: Registry } = globalThis
  holder[symbol] ??= new Map()
  return holder[symbol]
}

/** The address of a client of this app that is on the page already, as from the script tag. */
export const knownDialogUrl = (appId: string) =>
  [...registry().values()].find(({ client }) => client.appId === appId)?.client.dialogUrl

export type Lease = { readonly client: Client; release(): void }

/** One client an app and dialog origin, for as long as somebody holds a handle. */
export function holdClient(appId: string, dialogUrl: string): Lease {
  const clients = registry()
  const key = `${appId} ${new URL(dialogUrl).origin}`
  const known = knownDialogUrl(appId)
  if (known !== undefined && known !== dialogUrl) {
    console.warn(
      `${product.name}: app ${appId} is on this page with two dialog URLs, ${known} and ${dialogUrl}`,
    )
  }
  const entry = clients.get(key) ?? {
    client: createClient({ appId, dialogUrl, open: openConnection, now: Date.now }),
    handles: 0,
  }
  entry.handles += 1
  clients.set(key, entry)
  return {
    client: entry.client,
    release() {
      entry.handles -= 1
      if (entry.handles > 0) return
      clients.delete(key)
      entry.client.close(clientDestroyed())
    },
  }
}

export const clientDestroyed = () => new LatchkeyError('client_destroyed', 'This client was destroyed')
