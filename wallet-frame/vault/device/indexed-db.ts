/**
 * The device database in IndexedDB. Browsers partition it, so each site that embeds Latchkey is a separate
 * device.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { databaseName } from '../../device-database.ts'
import type { Change, DeviceDatabase, DeviceOwner, Records } from './store.ts'

const SCHEMA_VERSION = 1
const KEYS = 'keys'
const SHARES = 'shares'
const DEVICE_KEY = 'device'
const SIGNER = 'signer'

/**
 * Opens and closes the database for each use. The vault is used seldom, and an open connection would block an
 * upgrade.
 */
export function createIndexedDatabase(owner: DeviceOwner): DeviceDatabase {
  const name = databaseName(owner)
  return {
    readOrStoreKey: (candidate) =>
      transact(name, KEYS, (store, finish) => {
        const read = store.get(DEVICE_KEY)
        read.onsuccess = () => {
          if (read.result === undefined) store.put(candidate, DEVICE_KEY)
          finish(read.result ?? candidate)
        }
      }),

    writeSigner: (pair) =>
      transact(name, KEYS, (store, finish) => {
        store.put(pair, SIGNER)
        finish(undefined)
      }),

    readSigner: () =>
      transact(
        name,
        KEYS,
        (store, finish) => {
          const read = store.get(SIGNER)
          read.onsuccess = () => finish(read.result)
        },
        'readonly',
      ),

    change: <T>(decide: (records: Records) => Change<T>) =>
      transact<T>(name, SHARES, (store, finish, abort) => {
        const keys = store.getAllKeys()
        const values = store.getAll()
        values.onsuccess = () => {
          try {
            const entries = values.result.map((value, index) => [String(keys.result[index]), value] as const)
            const { put = {}, remove = [], result } = decide(new Map<string, unknown>(entries))
            for (const key of remove) store.delete(key)
            for (const [key, value] of Object.entries(put)) store.put(value, key)
            finish(result)
          } catch (error) {
            abort(error)
          }
        }
      }),
  }
}

/**
 * Runs a transaction. Resolves when it is complete on disk, not when its requests are: `strict` waits for the
 * flush.
 */
async function transact<T>(
  name: string,
  storeName: string,
  run: (store: IDBObjectStore, finish: (result: T) => void, abort: (error: unknown) => void) => void,
  mode: IDBTransactionMode = 'readwrite',
): Promise<T> {
  const database = await open(name)
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode, { durability: 'strict' })
      let outcome: { result: T } | undefined
      let abortReason: unknown
      transaction.oncomplete = () => (outcome ? resolve(outcome.result) : reject(unavailable()))
      transaction.onabort = () => reject(abortReason ?? unavailable(transaction.error))
      run(
        transaction.objectStore(storeName),
        (result) => {
          outcome = { result }
        },
        (error) => {
          abortReason = error
          transaction.abort()
        },
      )
    })
  } catch (error) {
    throw error instanceof DOMException ? unavailable(error) : error
  } finally {
    database.close()
  }
}

const open = (name: string) =>
  new Promise<IDBDatabase>((resolve, reject) => {
    try {
      const request = indexedDB.open(name, SCHEMA_VERSION)
      request.onupgradeneeded = () => {
        request.result.createObjectStore(KEYS)
        request.result.createObjectStore(SHARES)
      }
      request.onsuccess = () => {
        request.result.onversionchange = () => request.result.close()
        resolve(request.result)
      }
      request.onerror = () => reject(unavailable(request.error))
      request.onblocked = () => reject(unavailable())
    } catch (error) {
      reject(unavailable(error))
    }
  })

const unavailable = (cause?: unknown) =>
  new LatchkeyError('device_storage_unavailable', 'The browser refused to store the device share', {
    cause,
  })
