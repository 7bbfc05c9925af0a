/** What `npm run keys -- rotate` does. Servers may run meanwhile; a rotation that was cut off is run again. */
import { rmSync } from 'node:fs'
import { product } from '@latchkey/protocol'
import type { Database } from '../db/database.ts'
import { keyLimits } from '../limits.ts'
import { type Clock, type Kms, nowSeconds } from '../ports.ts'
import { gauge } from '../telemetry/instruments.ts'
import { type Keyring, newServerKey } from './keyring.ts'
import type { EmbeddedKms } from './kms.ts'
import {
  createMasterKeyFile,
  MasterKeyError,
  masterKeyFileExists,
  newMasterKey,
  readMasterKeys,
  replaceMasterKeyFile,
} from './master-key.ts'
import { serversWithout } from './running-servers.ts'
import {
  deleteKey,
  endMasterKeyRotation,
  forgetPreparedMasterKey,
  insertKeyOnce,
  isPepperNamed,
  type KeyColumns,
  type MasterKeyName,
  prepareMasterKey as markPrepared,
  masterKeysOf,
  pepperRows,
  replaceWrapped,
  retireKeys,
  retirePepper,
  usePreparedMasterKey,
  wrappedValues,
} from './store.ts'

type RotationSources = { database: Database; kms: Kms; clock: Clock }

const overlapSeconds = {
  signing: keyLimits.signingOverlapSeconds,
  sealing: keyLimits.sealingOverlapSeconds,
} as const

/** `atOnce` is for a key that leaked: what it signed is void as soon as the servers have looked. */
export async function rotateServerKey(
  purpose: 'signing' | 'sealing',
  { database, kms, clock }: RotationSources,
  { atOnce }: { atOnce: boolean },
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
 * A new pepper, which is used in twenty minutes. What the one before it made stays good for as long as a row names it.
 * Refused while the one before is not used yet, and while a server runs that does not know peppers by their names.
 */
export async function rotatePepper({ database, kms, clock }: RotationSources): Promise<string> {
  const key = await newServerKey('pepper', { kms, clock })
  const now = nowSeconds(clock)
  const newest = (await pepperRows(database.db)).findLast(({ retired_at }) => retired_at === null)
  if (!newest) throw new MasterKeyError('This database has no pepper yet. Start its server first.')
  const without = await serversWithout(database.db, newest.id, now)
  if (without.length > 0) {
    throw new MasterKeyError(
      `servers_without_pepper: these servers run an earlier release or have not read the current pepper yet: ${without.join(', ')}. ` +
        'Upgrade them, or wait a minute. A server that was killed is forgotten after three minutes.',
    )
  }
  await database.transaction(async (trx) => {
    const isWaiting = (await pepperRows(trx)).some(
      ({ retired_at }) => retired_at !== null && retired_at > now,
    )
    const isNewest =
      !isWaiting && (await retirePepper(trx, newest.id, now + keyLimits.publishedBeforeUseSeconds))
    if (!isNewest) {
      throw new MasterKeyError(
        'rotation_under_way: the previous new pepper is not in use yet. Try again in twenty minutes.',
      )
    }
    await insertKeyOnce(trx, key)
  })
  return key.id
}

/** Peppers that no row names, ten minutes after they were last used. */
export async function dropPeppers({
  database,
  clock,
  columns,
}: Omit<RotationSources, 'kms'> & { columns: Pick<KeyColumns, 'peppered'> }): Promise<{
  dropped: readonly string[]
  /** Those that are used for nothing new, and that a row names, or did a moment ago. */
  kept: readonly string[]
}> {
  const now = nowSeconds(clock)
  return database.transaction(async (trx) => {
    const dropped: string[] = []
    const kept: string[] = []
    for (const { id, retired_at } of await pepperRows(trx)) {
      if (retired_at === null || retired_at > now) continue
      const isOver =
        now - retired_at >= keyLimits.retiredPepperSeconds &&
        !(await isPepperNamed(trx, id, columns.peppered))
      if (isOver) await deleteKey(trx, id)
      const list = isOver ? dropped : kept
      list.push(id)
    }
    return { dropped, kept }
  })
}

type FileSources = { database: Database }

/**
 * Appends a new key to the file, which every machine gets then, and which nothing uses until `commitMasterKey`.
 *
 * The first key for recovery shares makes the file; one that is there already, from a run that was cut off before the
 * database knew of it, is taken.
 */
export async function prepareMasterKey(
  file: string,
  { database }: FileSources,
  name: MasterKeyName = 'master',
): Promise<string> {
  const { current } = (await masterKeysOf(database.db))[name]
  const isFirst = current === null
  const before = isFirst && !masterKeyFileExists(file) ? undefined : readMasterKeys(file)
  const key = (isFirst && before?.at(-1)) || newMasterKey()
  // The file comes first: a key that the database names is never in no file. One that it does not name is harmless.
  if (before === undefined) createMasterKeyFile(file, [key])
  else if (!isFirst) replaceMasterKeyFile(file, [...before, key])
  if (await markPrepared(database.db, name, key.id)) return key.id
  if (before !== undefined) replaceMasterKeyFile(file, before)
  else rmSync(file)
  throw new MasterKeyError(
    `rotation_under_way: an earlier rotation is not finished. Run ${commandOf('commit', name)} first, ` +
      'and again ten minutes later.',
  )
}

export const commandOf = (step: 'prepare' | 'commit' | 'cancel', name: MasterKeyName) =>
  `npm run keys -- rotate ${step}${name === 'recovery' ? ' recovery' : ''}`

/** A key that was prepared and is not used is not used any more: for a rotation that is given up. */
export async function cancelMasterKey(
  file: string,
  { database }: FileSources,
  name: MasterKeyName = 'master',
): Promise<string> {
  const { prepared, current } = (await masterKeysOf(database.db))[name]
  if (prepared === null) {
    throw new MasterKeyError('rotation_not_prepared: there is no prepared key to cancel.')
  }
  // The database comes first, and decides: a key that it does not name is used by nobody, in whatever file it is.
  if (!(await forgetPreparedMasterKey(database.db, name, prepared))) {
    throw new MasterKeyError('rotation_under_way: the prepared key is already in use.')
  }
  if (current === null && !masterKeyFileExists(file)) return prepared
  const [first, ...rest] = readMasterKeys(file).filter(({ id }) => id !== prepared)
  if (first) replaceMasterKeyFile(file, [first, ...rest])
  // It was made for this key, and nothing lies under it.
  else if (current === null) rmSync(file)
  else
    throw new MasterKeyError(
      `The master key file ${file} contains only the prepared key. Restore it from its backup.`,
    )
  return prepared
}

type CommitSources = {
  database: Database
  kms: EmbeddedKms
  clock: Clock
  columns: Pick<KeyColumns, 'wrapped'>
}

export type Commit = {
  keyId: string
  rewrapped: number
  /** Keys that are gone from the file. */
  dropped: number
  /** Nothing is left to be done. */
  isOver: boolean
}

/**
 * 1. The database says that the prepared key is the one in use. 2. Everything is wrapped anew, a batch at a time.
 * 3. Ten minutes after that, when no row names them, the keys before it go.
 *
 * Each run does what is left of it, so one that was cut off is run again. The first key for recovery shares takes them
 * from under the master key, which stays: nothing goes from its file.
 */
export async function commitMasterKey(
  file: string,
  sources: CommitSources,
  name: MasterKeyName = 'master',
): Promise<Commit> {
  const { database, kms, clock } = sources
  const { db } = database
  const reload = name === 'master' ? kms.reload : kms.reloadRecovery
  const { prepared, since } = (await masterKeysOf(db))[name]
  if (prepared === null && since === null) {
    throw new MasterKeyError(`rotation_not_prepared: run ${commandOf('prepare', name)} first.`)
  }
  if (prepared !== null) {
    // Throws before anything names the key where this file has not got it.
    reload(prepared)
    const without = await serversWithout(db, prepared, nowSeconds(clock))
    if (without.length > 0) {
      throw new MasterKeyError(
        `servers_without_key: these servers run without the key ${prepared}: ${without.join(', ')}. ` +
          'Put the key file on each machine and run this again a minute later. A server that was killed is forgotten after three minutes.',
      )
    }
    await usePreparedMasterKey(db, name, prepared, nowSeconds(clock))
  }
  const { current, since: usedSince } = (await masterKeysOf(db))[name]
  if (current === null) throw new MasterKeyError('rotation_not_prepared: the prepared key was cancelled.')
  reload(current)
  const rewrapped = await rewrapAll(sources)
  // What a slow server wrote meanwhile was wrapped anew just now; a run that found something looks once more.
  const isOld = usedSince !== null && nowSeconds(clock) - usedSince >= keyLimits.masterKeyKeptSeconds
  if (!isOld || (rewrapped > 0 && (await rewrapAll(sources)) > 0)) {
    return { keyId: current, rewrapped, dropped: 0, isOver: false }
  }
  const keys = readMasterKeys(file)
  const kept = keys.find((key) => key.id === current)
  if (!kept)
    throw new MasterKeyError(
      `The master key file ${file} does not contain the key ${current}. Restore it from its backup.`,
    )
  if (keys.length > 1) replaceMasterKeyFile(file, [kept])
  await endMasterKeyRotation(db, name)
  return { keyId: current, rewrapped, dropped: keys.length - 1, isOver: true }
}

async function rewrapAll({ database: { db }, kms, columns }: CommitSources): Promise<number> {
  let rewrapped = 0
  for await (const value of wrappedValues(db, columns.wrapped, keyLimits.rewrapBatchRows)) {
    if (kms.isCurrent(value.wrapped)) continue
    await replaceWrapped(db, value, kms.rewrap(value.wrapped))
    rewrapped += 1
  }
  return rewrapped
}

/** How old the keys in use are, for whoever rotates them. */
const age = gauge({
  name: `${product.key}.key.age`,
  unit: 's',
  description: 'Age of the key in use, by what it is for',
  attributes: ['purpose'],
})

/** The answer ends it. */
export const watchKeyAges = (keyring: Pick<Keyring, 'createdAt'>, clock: Clock): (() => void) =>
  age.observe(() =>
    Object.entries(keyring.createdAt()).map(([purpose, createdAt]) => ({
      value: nowSeconds(clock) - createdAt,
      values: { purpose },
    })),
  )
