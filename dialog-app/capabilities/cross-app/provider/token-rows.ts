/** The storage for provider tokens: IndexedDB on the dialog's origin, or memory if the browser blocks it. */
import { product } from '@latchkey/protocol'
import { type Databases, openDatabase, toPromise } from '../../../browser/storage.ts'

/** Any call may reject. */
export type TokenRows = {
  read: (name: string) => Promise<unknown>
  write: (name: string, row: object) => Promise<void>
  remove: (name: string) => Promise<void>
  clear: () => Promise<void>
}

const STORE = 'tokens'

/** Takes a factory, because reading `indexedDB` throws if the browser blocks storage. */
export function indexedDbRows(appId: string, factory: () => Databases): TokenRows {
  async function run<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await openDatabase(factory(), product.storageName(appId, 'cross-app'), STORE)
    try {
      return await toPromise(ask(database.transaction(STORE, mode).objectStore(STORE)))
    } finally {
      database.close()
    }
  }
  return {
    read: (name) => run<unknown>('readonly', (store) => store.get(name)),
    write: async (name, row) => void (await run('readwrite', (store) => store.put(row, name))),
    remove: (name) => run('readwrite', (store) => store.delete(name)),
    clear: () => run('readwrite', (store) => store.clear()),
  }
}

/** These rows live as long as the page. */
export function memoryRows(): TokenRows {
  const rows = new Map<string, object>()
  return {
    read: async (name) => rows.get(name),
    write: async (name, row) => void rows.set(name, row),
    remove: async (name) => void rows.delete(name),
    clear: async () => rows.clear(),
  }
}

/** Falls back to memory if the browser fails to store a row in time. */
export function rowsWithFallback(
  kept: TokenRows,
  inTime: <T>(running: Promise<T>) => Promise<T> = (running) => running,
): TokenRows {
  const memory = memoryRows()
  const orNothing = (running: Promise<void>) => running.catch(() => {})
  return {
    read: async (name) => (await memory.read(name)) ?? (await inTime(kept.read(name)).catch(() => undefined)),
    async write(name, row) {
      try {
        await inTime(kept.write(name, row))
        await memory.remove(name)
      } catch {
        await memory.write(name, row)
      }
    },
    async remove(name) {
      await Promise.all([memory.remove(name), orNothing(inTime(kept.remove(name)))])
    },
    async clear() {
      await Promise.all([memory.clear(), orNothing(inTime(kept.clear()))])
    },
  }
}
