/**
 * The dapp data of a user in this browser, in a database per app and user. It holds the storage of the relay client,
 * including its keys, and the list of dapps, which is shown without the client.
 */
import { product } from '@latchkey/protocol'
import * as v from 'valibot'
import { type Databases, openDatabase, toPromise } from '../../browser/storage.ts'
import type { ConnectedDapp } from '../../contract/dapps.ts'
import type { Storage } from '../../walletconnect/relay-client.ts'

const STORE = 'connections'
/** The key of the list. It differs from the keys of the relay client. */
const LIST = 'dapps'

export type Kept = {
  list: () => Promise<readonly ConnectedDapp[]>
  writeList: (dapps: readonly ConnectedDapp[]) => Promise<void>
  /** The storage that the relay's client uses. */
  storage: Storage
  forget: () => Promise<void>
}

const listed: v.GenericSchema<unknown, readonly ConnectedDapp[]> = v.array(
  v.object({
    id: v.string(),
    name: v.string(),
    url: v.string(),
    sinceMs: v.number(),
    lastUsedMs: v.optional(v.number()),
  }),
) as v.GenericSchema<unknown, readonly ConnectedDapp[]>

export type OpenKept = (of: { appId: string; userId: string }) => Kept

/** Takes `databases` as a function, because reading `indexedDB` throws if the browser blocks storage. */
export const keptIn =
  (databases: () => Databases): OpenKept =>
  ({ appId, userId }) => {
    const name = product.storageName(appId, `dapps-${userId}`)
    let opening: Promise<IDBDatabase> | undefined
    /** Discards late writes of a closed client. */
    let isForgotten = false
    async function on<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>) {
      opening ??= openDatabase(databases(), name, STORE)
      const database = await opening.catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return toPromise(ask(database.transaction(STORE, mode).objectStore(STORE)))
    }
    const read = (key: string) => on<unknown>('readonly', (store) => store.get(key))
    async function write(key: string, value: unknown) {
      if (!isForgotten) await on('readwrite', (store) => store.put(value, key))
    }
    const keys = async () =>
      (await on('readonly', (store) => store.getAllKeys())).map(String).filter((key) => key !== LIST)

    return {
      async list() {
        const result = v.safeParse(listed, await read(LIST))
        return result.success ? result.output : []
      },
      writeList: (dapps) => write(LIST, [...dapps]),
      storage: {
        getKeys: keys,
        async getEntries<T>() {
          const entries = (await keys()).map(
            async (key): Promise<[string, T]> => [key, (await read(key)) as T],
          )
          return Promise.all(entries)
        },
        getItem: async <T>(key: string) => (await read(key)) as T | undefined,
        setItem: write,
        async removeItem(key) {
          await on('readwrite', (store) => store.delete(key))
        },
      },
      async forget() {
        isForgotten = true
        await on('readwrite', (store) => store.clear())
      },
    }
  }
