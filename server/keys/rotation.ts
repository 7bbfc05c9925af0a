/** What `npm run keys -- rotate` does. Servers may run meanwhile; a rotation that was cut off is run again. */
import type { Database } from '../db/database.ts'
import { keyLimits } from '../limits.ts'
import { type Clock, type Kms, nowSeconds } from '../ports.ts'
import { newServerKey } from './keyring.ts'
import type { EmbeddedKms } from './kms.ts'
import { MasterKeyError, newMasterKey, readMasterKeys, replaceMasterKeyFile } from './master-key.ts'
import { serversWithout } from './running-servers.ts'
import {
  endMasterKeyRotation,
  forgetPreparedMasterKey,
  insertKeyOnce,
  prepareMasterKey as markPrepared,
  masterKeysOf,
  replaceWrapped,
  retireKeys,
  usePreparedMasterKey,
  wrappedValues,
} from './store.ts'

type RotationSources = { readonly database: Database; readonly kms: Kms; readonly clock: Clock }

const overlapSeconds = {
  signing: keyLimits.signingOverlapSeconds,
  sealing: keyLimits.sealingOverlapSeconds,
} as const

/** `atOnce` is for a key that leaked: what it signed is void as soon as the servers have looked. */
export async function rotateServerKey(
  purpose: 'signing' | 'sealing',
  { database, kms, clock }: RotationSources,
  { atOnce }: { readonly atOnce: boolean },
): Promise<string> {
  const key = await newServerKey(purpose, { kms, clock })
  const now = nowSeconds(clock)
  const retirement = atOnce
    ? { retiredAt: now, expiresAt: now }
    : { retiredAt: now + keyLimits.publishedBeforeUseSeconds, expiresAt: now + overlapSeconds[purpose] }
  await database.transaction(async (trx) => {
    await retireKeys(trx, purpose, retirement)
    await insertKeyOnce(trx, key)
  })
  return key.id
}

/** Appends a new key to the file, which every machine gets then, and which nothing uses until `commitMasterKey`. */
export async function prepareMasterKey(
  file: string,
  { database }: { readonly database: Database },
): Promise<string> {
  const keys = readMasterKeys(file)
  const key = newMasterKey()
  // The file comes first: a key that the database names is never in no file. One that it does not name is harmless.
  replaceMasterKeyFile(file, [...keys, key])
  if (await markPrepared(database.db, key.id)) return key.id
  replaceMasterKeyFile(file, keys)
  throw new MasterKeyError(
    'rotation_under_way: an earlier rotation is not over. Run npm run keys -- rotate commit first; ' +
      'ten minutes after that, run it again.',
  )
}

/** A key that was prepared and is not used is not used any more: for a rotation that is given up. */
export async function cancelMasterKey(
  file: string,
  { database }: { readonly database: Database },
): Promise<string> {
  const { prepared } = await masterKeysOf(database.db)
  if (prepared === null) {
    throw new MasterKeyError('rotation_not_prepared: there is no prepared key that could be cancelled.')
  }
  // The database comes first, and decides: a key that it does not name is used by nobody, in whatever file it is.
  if (!(await forgetPreparedMasterKey(database.db, prepared))) {
    throw new MasterKeyError('rotation_under_way: the prepared key is in use already.')
  }
  const [first, ...rest] = readMasterKeys(file).filter(({ id }) => id !== prepared)
  if (!first) throw new MasterKeyError(`The master key file ${file} holds nothing but the prepared key`)
  replaceMasterKeyFile(file, [first, ...rest])
  return prepared
}

export type Commit = { readonly keyId: string; readonly rewrapped: number; readonly dropped: number }

/**
 * 1. The database says that the prepared key is the one in use. 2. Everything is wrapped anew, a batch at a time.
 * 3. Ten minutes after that, when no row names them, the keys before it go.
 *
 * Each run does what is left of it, so one that was cut off is run again.
 */
export async function commitMasterKey(
  file: string,
  { database, kms, clock }: { readonly database: Database; readonly kms: EmbeddedKms; readonly clock: Clock },
): Promise<Commit> {
  const { db } = database
  const { prepared, since } = await masterKeysOf(db)
  if (prepared === null && since === null) {
    throw new MasterKeyError('rotation_not_prepared: run npm run keys -- rotate prepare first.')
  }
  if (prepared !== null) {
    // Throws before anything names the key where this file has not got it.
    kms.reload(prepared)
    const without = await serversWithout(db, prepared, nowSeconds(clock))
    if (without.length > 0) {
      throw new MasterKeyError(
        `servers_without_key: these servers run without the key ${prepared}: ${without.join(', ')}. ` +
          'Put the file on each machine and run this again a minute later. A server that was killed is forgotten after three minutes.',
      )
    }
    await usePreparedMasterKey(db, prepared, nowSeconds(clock))
  }
  const { current, since: usedSince } = await masterKeysOf(db)
  kms.reload(current)
  const rewrapped = await rewrapAll(database, kms)
  // What a slow server wrote meanwhile was wrapped anew just now; a run that found something looks once more.
  const isOver = usedSince !== null && nowSeconds(clock) - usedSince >= keyLimits.masterKeyKeptSeconds
  if (!isOver || (rewrapped > 0 && (await rewrapAll(database, kms)) > 0)) {
    return { keyId: current, rewrapped, dropped: 0 }
  }
  const keys = readMasterKeys(file)
  const kept = keys.find((key) => key.id === current)
  if (!kept) throw new MasterKeyError(`The master key file ${file} holds no key ${current}`)
  replaceMasterKeyFile(file, [kept])
  await endMasterKeyRotation(db)
  return { keyId: current, rewrapped, dropped: keys.length - 1 }
}

async function rewrapAll({ db }: Database, kms: EmbeddedKms): Promise<number> {
  let rewrapped = 0
  for await (const value of wrappedValues(db, keyLimits.rewrapBatchRows)) {
    if (kms.keyIdOf(value.wrapped) === kms.currentKeyId()) continue
    await replaceWrapped(db, value, kms.rewrap(value.wrapped))
    rewrapped += 1
  }
  return rewrapped
}
