/**
 * The embedded KMS, with envelope encryption. Each secret is encrypted with its own data key, and the data key with a
 * key that is derived from the master key for the purpose. A master key rotation therefore only wraps data keys again.
 * Recovery shares may have their own master key in a separate file.
 *
 *     1 . purpose . id of the master key . wrapped data key . ciphertext        (both by aes-gcm.ts)
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import type { Kms, KmsPurpose } from '../ports.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import type { MasterKey, MasterKeys } from './master-key.ts'

const VERSION = '1'
const KEY_BYTES = 32
/** The purpose that may have a separate master key. */
const recoveryPurpose = 'recovery-share' satisfies KmsPurpose

export type EmbeddedKms = Kms & {
  currentKeyId: () => string
  /** The id of the recovery master key, or null if recovery shares use the master key. */
  recoveryKeyId: () => string | null
  getKeyId: (wrapped: string) => string
  /** Returns whether the secret is wrapped with the key that is used for new secrets of its purpose. */
  isCurrent: (wrapped: string) => boolean
  /** Wraps the secret again with the current master key of its purpose. */
  rewrap: (wrapped: string) => string
  /**
   * Reads the file again and wraps new secrets with this key. Throws if the file lacks this key or the prepared one:
   * then existing secrets can still be opened, but nothing is wrapped with a key that is about to be retired.
   */
  reload: (currentId: string, preparedId?: string | null) => void
  /**
   * The same for recovery shares. Without a recovery file, they cannot be wrapped once the database has a recovery key.
   * A prepared key is no obstacle, because a restart will bring its file.
   */
  reloadRecovery: (currentId: string | null, preparedId?: string | null) => void
  /** The ids of the keys in the files, as last read. */
  heldKeyIds: () => readonly string[]
}

/** `read` returns the current keys of the file. */
export type KeySource = { read: () => MasterKeys; currentId: string | null }

/** Creates the KMS. Reads the files again if a key id is unknown. */
export function createEmbeddedKms(
  read: () => MasterKeys,
  currentId?: string,
  recovery?: KeySource,
): EmbeddedKms {
  const main = createKeyFile({ read, currentId: currentId ?? read()[0].id })
  const own = recovery && createKeyFile(recovery)
  const files = [main, ...(own ? [own] : [])]
  let lacksRecoveryFile = false
  const derived = new Map<string, Buffer>()

  function masterKey(id: string): MasterKey {
    const find = () => files.map((file) => file.find(id)).find((key) => key !== undefined)
    const knownKey = find()
    if (knownKey) return knownKey
    for (const file of files) file.readAgain()
    const key = find()
    if (!key) throw new Error(`The master key file holds no key ${id}`)
    return key
  }

  function keyFor(purpose: string): MasterKey {
    if (purpose !== recoveryPurpose) return main.keyForWrapping()
    if (lacksRecoveryFile) throw new Error('This process has no recovery master key file')
    return own?.current() ? own.keyForWrapping() : main.keyForWrapping()
  }

  function wrappingKey(purpose: string, master: MasterKey): Buffer {
    const name = `${purpose}.${master.id}`
    const cachedKey = derived.get(name)
    if (cachedKey) return cachedKey
    const info = `${product.key}/kms/1/${purpose}`
    const key = Buffer.from(hkdfSync('sha256', master.bytes, Buffer.alloc(0), info, KEY_BYTES))
    derived.set(name, key)
    return key
  }

  const dataKeyContext = (purpose: string) => Buffer.from(`${VERSION}.${purpose}`)

  function openDataKey({ purpose, keyId, wrappedKey }: Parts): Buffer {
    return decrypt(wrappingKey(purpose, masterKey(keyId)), wrappedKey, dataKeyContext(purpose))
  }
  function join(purpose: string, dataKey: Buffer, ciphertext: Buffer): string {
    const master = keyFor(purpose)
    const wrappedKey = encrypt(wrappingKey(purpose, master), dataKey, dataKeyContext(purpose))
    return [
      VERSION,
      purpose,
      master.id,
      wrappedKey.toString('base64url'),
      ciphertext.toString('base64url'),
    ].join('.')
  }

  return {
    reload: main.reload,
    reloadRecovery(id, preparedId = null) {
      lacksRecoveryFile = own === undefined && id !== null
      if (lacksRecoveryFile) throw new Error(`No RECOVERY_MASTER_KEY_FILE is set for the key ${id}`)
      // After a cancelled preparation, the file may no longer exist.
      if (id !== null || preparedId !== null) own?.reload(id, preparedId)
    },
    currentKeyId: () => main.current()?.id ?? '',
    recoveryKeyId: () => own?.current()?.id ?? null,
    heldKeyIds: () => files.flatMap((file) => file.ids()),
    getKeyId: (wrapped) => parseWrapped(wrapped).keyId,
    isCurrent(wrapped) {
      const { purpose, keyId } = parseWrapped(wrapped)
      return keyFor(purpose).id === keyId
    },
    rewrap(wrapped) {
      const parts = parseWrapped(wrapped)
      const dataKey = openDataKey(parts)
      try {
        return join(parts.purpose, dataKey, parts.ciphertext)
      } finally {
        dataKey.fill(0)
      }
    },
    async wrap(purpose, secret, context) {
      const dataKey = randomBytes(KEY_BYTES)
      try {
        return join(purpose, dataKey, encrypt(dataKey, secret, secretContext(purpose, context)))
      } finally {
        dataKey.fill(0)
      }
    },
    async unwrap(purpose, wrapped, context) {
      const parts = parseWrapped(wrapped)
      if (parts.purpose !== purpose)
        throw new Error(`The secret was wrapped for ${parts.purpose}, not for ${purpose}`)
      const dataKey = openDataKey(parts)
      try {
        return decrypt(dataKey, parts.ciphertext, secretContext(purpose, context))
      } finally {
        dataKey.fill(0)
      }
    },
  }
}

/** The keys of one file, as last read. */
function createKeyFile({ read, currentId }: KeySource) {
  let keys = read()
  let currentKey = currentId === null ? undefined : findKey(keys, currentId)
  let mayWrap = true
  return {
    find: (id: string) => keys.find((key) => key.id === id),
    readAgain() {
      keys = read()
    },
    ids: () => keys.map(({ id }) => id),
    current: () => currentKey,
    keyForWrapping(): MasterKey {
      if (!currentKey) throw new Error('No key of the master key file is in use')
      if (!mayWrap) throw new Error(`The master key ${currentKey.id} must not wrap new secrets any more`)
      return currentKey
    },
    reload(id: string | null, preparedId: string | null = null) {
      mayWrap = currentKey?.id === (id ?? undefined)
      const next = read()
      currentKey = id === null ? undefined : findKey(next, id)
      keys = next
      mayWrap = true
      if (preparedId !== null) findKey(next, preparedId)
    },
  }
}

function findKey(keys: MasterKeys, id: string): MasterKey {
  const key = keys.find((each) => each.id === id)
  if (!key) throw new Error(`The master key file holds no key ${id}`)
  return key
}

const secretContext = (purpose: KmsPurpose, context: Uint8Array) =>
  Buffer.concat([Buffer.from(`${VERSION}.${purpose}.`), context])

type Parts = {
  purpose: string
  keyId: string
  wrappedKey: Buffer
  ciphertext: Buffer
}

function parseWrapped(wrapped: string): Parts {
  const [version, purpose, keyId, wrappedKey, ciphertext, ...rest] = wrapped.split('.')
  if (version !== VERSION) throw new Error(`Unknown version of a wrapped secret: ${version}`)
  if (!purpose || !keyId || !wrappedKey || !ciphertext || rest.length > 0) {
    throw new Error('Not a wrapped secret')
  }
  return {
    purpose,
    keyId,
    wrappedKey: Buffer.from(wrappedKey, 'base64url'),
    ciphertext: Buffer.from(ciphertext, 'base64url'),
  }
}
