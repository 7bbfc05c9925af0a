/** Stores the proof key in IndexedDB, the only storage for non-extractable keys. */
import { LatchkeyError, product, sessionLimits } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'
import { type Databases, openDatabase, storageUnavailable, toPromise } from '../browser/storage.ts'
import { withDeadline } from '../browser/waiting.ts'
import { createProofKeyPair, type ProofKeys } from './proof.ts'

const STORE = 'keys'
const KEY = 'session-proof'

/** Loads the key once. After a failure or a timeout, the next call retries. */
export function createIndexedDbProofKeys(ports: {
  appId: string
  clock: Clock
  /** A function, because reading `indexedDB` throws if storage is blocked. */
  database: () => Databases
}): ProofKeys {
  let loading: Promise<CryptoKeyPair> | undefined
  let loaded: CryptoKeyPair | undefined

  async function loadInTime(): Promise<CryptoKeyPair> {
    const name = product.storageName(ports.appId, 'keys')
    try {
      const pair = loadOrCreate(ports.database(), name)
      loaded = await withDeadline(ports.clock, sessionLimits.proofKeyDeadlineMs, pair, () =>
        storageUnavailable(),
      )
      return loaded
    } catch (cause) {
      loading = undefined
      throw cause instanceof LatchkeyError ? cause : storageUnavailable(cause)
    }
  }

  return {
    load() {
      loading ??= loadInTime()
      return loading
    },
    atHand: () => loaded,
  }
}

async function loadOrCreate(factory: Databases, databaseName: string): Promise<CryptoKeyPair> {
  const database = await openDatabase(factory, databaseName, STORE)
  try {
    const storedKeys = await toPromise<unknown>(store(database, 'readonly').get(KEY))
    if (isKeyPair(storedKeys)) return storedKeys
    const newKeys = await createProofKeyPair()
    // Another tab may have stored a key meanwhile; the first stored key wins.
    const keys = store(database, 'readwrite')
    const meanwhile = await toPromise<unknown>(keys.get(KEY))
    if (isKeyPair(meanwhile)) return meanwhile
    await toPromise(keys.put(newKeys, KEY))
    return newKeys
  } finally {
    database.close()
  }
}

const store = (database: IDBDatabase, mode: IDBTransactionMode) =>
  database.transaction(STORE, mode).objectStore(STORE)

export function isKeyPair(value: unknown): value is CryptoKeyPair {
  return (
    typeof value === 'object' &&
    value !== null &&
    'privateKey' in value &&
    'publicKey' in value &&
    value.privateKey instanceof CryptoKey &&
    value.publicKey instanceof CryptoKey
  )
}
