/** Opens the keys of a database. Refuses to start without the matching master key. */

import { timingSafeEqual } from 'node:crypto'
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
import {
  isNewDatabase,
  type KeysInUse,
  type MasterKeyName,
  pinFingerprints,
  readMasterKeyState,
} from './store.ts'

export { decrypt, encrypt } from './aes-gcm.ts'
export {
  importCachedKey,
  importPoint,
  isCurvePoint,
  signEs256,
  verifyEs256,
} from './es256.ts'
export type { Keyring, SealingKey, SigningKey } from './keyring.ts'
export {
  addPepperName,
  getPepperName,
  splitPepperName,
  withPepperRetry,
} from './pepper-names.ts'
export type { KeyColumns, PepperedColumn, WrappedColumn } from './store.ts'
export {
  signsTypedTokens,
  toTypedClaims,
  toUntypedClaims,
  untypedTokenType,
} from './untyped-tokens.ts'

type KmsSources = {
  database: Pick<Database, 'db'>
  masterKeyFile: string
  /** The file of the recovery master key, if recovery shares have their own. */
  recoveryMasterKeyFile?: string | undefined
  clock: Clock
  /** Allows a recovery file without a key in use. Only for commands that prepare or cancel the first recovery key. */
  mayPrepare?: boolean
}

const files = {
  master: { key: 'master key', variable: 'MASTER_KEY_FILE', opens: 'the wallets' },
  recovery: {
    key: 'recovery master key',
    variable: 'RECOVERY_MASTER_KEY_FILE',
    opens: 'the recovery shares',
  },
} as const satisfies Record<MasterKeyName, unknown>

export async function openKms(sources: KmsSources): Promise<EmbeddedKms> {
  const { masterKeyFile, recoveryMasterKeyFile, clock } = sources
  const { db } = sources.database
  if (await isNewDatabase(db)) {
    const master = createInitialKeys(masterKeyFile)[0].id
    const recovery =
      recoveryMasterKeyFile === undefined ? null : createInitialKeys(recoveryMasterKeyFile)[0].id
    await pinFingerprints(db, { master, recovery }, nowSeconds(clock))
  }
  const { master, recovery } = await readMasterKeyState(db)
  const keys = readPinnedKeys('master', masterKeyFile, master.current)
  const recoveryKeys = readRecoveryKeys(sources, recovery)
  if (recoveryKeys?.some(({ id }) => keys.some((key) => key.id === id))) {
    throw new MasterKeyError(
      `${recoveryMasterKeyFile} and ${masterKeyFile} contain the same key. Use two different keys: one key in two files is still one secret.`,
    )
  }
  return createEmbeddedKms(
    () => readMasterKeys(masterKeyFile),
    master.current,
    recoveryMasterKeyFile !== undefined && recoveryKeys
      ? { read: () => readMasterKeys(recoveryMasterKeyFile), currentId: recovery.current }
      : undefined,
  )
}

/** Returns undefined if recovery shares use the master key, like all other secrets. */
function readRecoveryKeys(
  { recoveryMasterKeyFile: file, mayPrepare = false }: KmsSources,
  { current, prepared }: KeysInUse,
): MasterKeys | undefined {
  if (file === undefined) {
    if (current === null) return undefined
    throw new MasterKeyError(
      `This database encrypts recovery shares with the recovery master key ${current}. ` +
        'Set RECOVERY_MASTER_KEY_FILE to the path of its file.',
    )
  }
  if (current !== null) return readPinnedKeys('recovery', file, current)
  if (mayPrepare) return masterKeyFileExists(file) ? readMasterKeys(file) : undefined
  if (prepared !== null) return readPinnedKeys('recovery', file, prepared)
  throw new MasterKeyError(
    'RECOVERY_MASTER_KEY_FILE is set, but this database still encrypts recovery shares with MASTER_KEY_FILE. ' +
      'To move them, run: latchkey keys rotate prepare recovery',
  )
}

function createInitialKeys(file: string): MasterKeys {
  if (!masterKeyFileExists(file)) {
    try {
      createMasterKeyFile(file, [newMasterKey()])
    } catch (error) {
      // Another process that started with the same new database was faster.
      if (!masterKeyFileExists(file)) throw error
    }
  }
  return readMasterKeys(file)
}

/** Throws if the file does not exist or belongs to another database. */
function readPinnedKeys(name: MasterKeyName, file: string, pinned: string): MasterKeys {
  const { key, variable, opens } = files[name]
  if (!masterKeyFileExists(file)) {
    throw new MasterKeyError(
      `The database belongs to the ${key} ${pinned}, but ${file} does not exist. ` +
        `Restore the file from its backup, or set ${variable} to its path. The server does not create a new key, because a new key could not open ${opens} in this database.`,
    )
  }
  const keys = readMasterKeys(file)
  if (keys.some(({ id }) => id === pinned)) return keys
  throw new MasterKeyError(
    `The database belongs to the ${key} ${pinned}, but ${file} contains ${keys.map(({ id }) => id).join(', ')}. ` +
      'Restore the right file from its backup, or set DATABASE_URL to the database of this key.',
  )
}

/** Compares in constant time. Only the lengths are not secret. */
export function equalsInConstantTime(expected: string | Uint8Array, given: string | Uint8Array): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
