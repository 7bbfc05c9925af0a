/** The proof key in IndexedDB: the only store that keeps a key which script can use but never read. */
import { LatchkeyError, product } from '@latchkey/protocol'
import { makeProofKeyPair, type ProofKeys } from './proof.ts'

const STORE = 'keys'
const KEY = 'session-proof'

export function indexedDbProofKeys(appId: string): ProofKeys {
  let loaded: Promise<CryptoKeyPair> | undefined
  return {
    load() {
      loaded ??= loadOrMake(product.storageName(appId, 'keys')).catch((cause: unknown) => {
        loaded = undefined
        throw new LatchkeyError('session_storage_unavailable', 'This browser keeps no data for the dialog', {
          cause,
        })
      })
      return loaded
    },
  }
}

async function loadOrMake(databaseName: string): Promise<CryptoKeyPair> {
  const database = await open(databaseName)
  try {
    const before = await request<unknown>(store(database, 'readonly').get(KEY))
    if (isKeyPair(before)) return before
    const made = await makeProofKeyPair()
    // Another tab may have been quicker: whoever is first in the store wins.
    const keys = store(database, 'readwrite')
    const meanwhile = await request<unknown>(keys.get(KEY))
    if (isKeyPair(meanwhile)) return meanwhile
    await request(keys.put(made, KEY))
    return made
  } finally {
    database.close()
  }
}

const store = (database: IDBDatabase, mode: IDBTransactionMode) =>
  database.transaction(STORE, mode).objectStore(STORE)

function open(name: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  return request(opening)
}

function request<T>(running: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    running.onsuccess = () => resolve(running.result)
    running.onerror = () => reject(running.error)
  })
}

function isKeyPair(value: unknown): value is CryptoKeyPair {
  return (
    typeof value === 'object' &&
    value !== null &&
    'privateKey' in value &&
    'publicKey' in value &&
    value.privateKey instanceof CryptoKey &&
    value.publicKey instanceof CryptoKey
  )
}
