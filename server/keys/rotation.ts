/** What `npm run keys -- rotate` does. Servers may run meanwhile; a rotation that was cut off is run again. */
import type { Database } from '../db/database.ts'
import { keyLimits } from '../limits.ts'
import { type Clock, type Kms, nowSeconds } from '../ports.ts'
import { newServerKey } from './keyring.ts'
import type { EmbeddedKms } from './kms.ts'
import { newMasterKey, readMasterKeys, replaceMasterKeyFile } from './master-key.ts'
import {
  fingerprintOf,
  insertKeyOnce,
  replaceFingerprint,
  replaceWrapped,
  retireKeys,
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

/**
 * 1. The file gets a new first key and keeps the one before it, so nothing is unreadable at any moment.
 * 2. Everything wrapped is wrapped anew. 3. The database says that it belongs to the new key.
 *
 * Cut off after 1, the next run goes on with 2. The key before stays in the file until the next rotation, for
 * what a running server was just writing.
 */
export async function rotateMasterKey(
  file: string,
  { database, kms }: { readonly database: Database; readonly kms: EmbeddedKms },
): Promise<{ readonly keyId: string; readonly rewrapped: number; readonly resumed: boolean }> {
  const keys = readMasterKeys(file)
  const resumed = (await fingerprintOf(database.db)) !== keys[0].id
  if (!resumed) {
    // What is left from the rotation before is taken over, before its key goes.
    await rewrapAll(database, kms)
    replaceMasterKeyFile(file, [newMasterKey(), keys[0]])
  }
  kms.reload()
  const rewrapped = await rewrapAll(database, kms)
  await database.transaction((trx) => replaceFingerprint(trx, kms.currentKeyId()))
  return { keyId: kms.currentKeyId(), rewrapped, resumed }
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
