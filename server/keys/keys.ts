/** Opens the keys of a database, and refuses to go on without the master key that belongs to it. */
import type { Database } from '../db/database.ts'
import { type Clock, nowSeconds } from '../ports.ts'
import { createEmbeddedKms, type EmbeddedKms } from './kms.ts'
import {
  createMasterKeyFile,
  MasterKeyError,
  type MasterKeys,
  masterKeyFileExists,
  newMasterKey,
  readMasterKeys,
} from './master-key.ts'
import { fingerprintOf, pinFingerprint } from './store.ts'

export { importedKey, isPointOfCurve, pointOf, signEs256, verifyEs256 } from './es256.ts'
export type { Keyring, PublicJwk, SealingKey, SigningKey } from './keyring.ts'

type KmsSources = {
  readonly database: Pick<Database, 'db'>
  readonly masterKeyFile: string
  readonly clock: Clock
}

export async function openKms({ database, masterKeyFile, clock }: KmsSources): Promise<EmbeddedKms> {
  const pinned = await fingerprintOf(database.db)
  const keys = pinned === undefined ? keysOfNewDatabase(masterKeyFile) : keysOf(masterKeyFile, pinned)
  const fingerprint = pinned ?? (await pinFingerprint(database.db, keys[0].id, nowSeconds(clock)))
  assertBelongs(keys, masterKeyFile, fingerprint)
  return createEmbeddedKms(() => readMasterKeys(masterKeyFile), fingerprint)
}

function keysOfNewDatabase(file: string): MasterKeys {
  if (!masterKeyFileExists(file)) {
    try {
      createMasterKeyFile(file, [newMasterKey()])
    } catch (error) {
      // Another process that starts with the same new database was faster.
      if (!masterKeyFileExists(file)) throw error
    }
  }
  return readMasterKeys(file)
}

function keysOf(file: string, pinned: string): MasterKeys {
  if (masterKeyFileExists(file)) return readMasterKeys(file)
  throw new MasterKeyError(
    `The database belongs to the master key ${pinned}, but ${file} does not exist. ` +
      'Restore the file from its backup, or name it in MASTER_KEY_FILE. A new key is not made: it could not open the wallets in this database.',
  )
}

function assertBelongs(keys: MasterKeys, file: string, fingerprint: string): void {
  if (keys.some((key) => key.id === fingerprint)) return
  throw new MasterKeyError(
    `The database belongs to the master key ${fingerprint}, but ${file} holds ${keys.map((key) => key.id).join(', ')}. ` +
      'Restore the right file from its backup, or point DATABASE_URL to the database of this key.',
  )
}
