import { channelLimits, productKey } from '@latchkey/protocol'
import { takeParameters } from '@latchkey/protocol/host'
import { openConnection } from '../frame/connection.ts'
import { type Client, clientDestroyed, createClient } from './client.ts'
import type { Lease } from './handle.ts'
import type { LoadSecondFile } from './second-file.ts'

/**
 * The clients of this page. On a global symbol, because a page may hold the loader more than once: the script
 * tag and a bundle, or a bundle that a development server replaced. The copies may be of different releases, so
 * what a client offers to handles may grow and not change.
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
 * What the page was opened with. A client may be gone before its dialog has come (React mounts twice, another app of
 * the page comes first), so it is kept on the page until a dialog of each app was told.
 */
type PageParameters = { query: string; told: Set<string> }

const parametersSymbol = Symbol.for(`${productKey}.parameters.${channelLimits.protocolVersion}`)

function pageParameters(): PageParameters {
  const holder: typeof globalThis & { [parametersSymbol]?: PageParameters } = globalThis
  const query = takeParameters()
  if (query || !holder[parametersSymbol]) holder[parametersSymbol] = { query, told: new Set() }
  return holder[parametersSymbol]
}

/** The client of this app that is on the page already, as from the script tag. */
export const knownClient = (appId: string) =>
  [...registry().values()].find(({ client }) => client.appId === appId)?.client

/** One client an app and dialog origin, for as long as somebody holds a handle. */
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
  const { query, told } = pageParameters()
  return createClient({
    appId,
    dialogUrl,
    parameters: told.has(appId) ? '' : query,
    onGreeted: () => told.add(appId),
    open: openConnection,
    loadSecondFile,
  })
}
