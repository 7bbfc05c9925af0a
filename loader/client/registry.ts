import { channelLimits, productKey } from '@latchkey/protocol'
import { takeUrlParameters } from '@latchkey/protocol/host'
import { openConnection } from '../frame/connection.ts'
import { type Client, clientDestroyed, createClient } from './client.ts'
import type { Lease } from './handle.ts'
import type { LoadSecondFile } from './second-file.ts'

/**
 * The clients of this page, stored under a global symbol. A page may contain several copies of the loader: the
 * script tag and a bundle, or a hot-reloaded bundle. The copies may differ in release, so the client's
 * interface may be extended but not changed.
 */
type Entry = { client: Client; handles: number }
type Registry = Map<string, Entry>

const symbol = Symbol.for(`${productKey}.clients.${channelLimits.protocolVersion}`)

function registry(): Registry {
  const holder: typeof globalThis & { [symbol]?: Registry } = globalThis
  holder[symbol] ??= new Map()
  return holder[symbol]
}

/**
 * The query parameters of the page. A client may be destroyed before its dialog loads (React mounts twice,
 * another app starts first), so they are stored until a dialog of each app has received them.
 */
type PageParameters = { query: string; told: Set<string> }

const parametersSymbol = Symbol.for(`${productKey}.parameters.${channelLimits.protocolVersion}`)

function getPageParameters(): PageParameters {
  const holder: typeof globalThis & { [parametersSymbol]?: PageParameters } = globalThis
  const query = takeUrlParameters()
  if (query || !holder[parametersSymbol]) holder[parametersSymbol] = { query, told: new Set() }
  return holder[parametersSymbol]
}

/** Returns the client of this app that is already on the page, for example from the script tag. */
export const findClient = (appId: string) =>
  [...registry().values()].find(({ client }) => client.appId === appId)?.client

/** Returns the client of an app and dialog origin. It lives until its last handle is released. */
export function holdClient(
  appId: string,
  dialogUrl: string,
  loadSecondFile: LoadSecondFile,
): Lease & { client: Client } {
  const clients = registry()
  const key = `${appId} ${new URL(dialogUrl).origin}`
  const entry = clients.get(key) ?? { client: newClient(appId, dialogUrl, loadSecondFile), handles: 0 }
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

function newClient(appId: string, dialogUrl: string, loadSecondFile: LoadSecondFile): Client {
  const { query, told } = getPageParameters()
  return createClient({
    appId,
    dialogUrl,
    parameters: told.has(appId) ? '' : query,
    onGreeted: () => told.add(appId),
    open: openConnection,
    loadSecondFile,
  })
}
