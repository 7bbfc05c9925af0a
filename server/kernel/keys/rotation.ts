/**
 * Key rotation for `latchkey keys rotate`. Servers may run meanwhile, and an interrupted rotation can be run again.
 */
import { rmSync } from 'node:fs'
import { product } from '@latchkey/protocol'
import type { Database } from '../db/database.ts'
import { randomId } from '../ids.ts'
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
import { listServersWithout } from './running-servers.ts'
import {
  cancelPreparedMasterKey,
  deleteKey,
  endMasterKeyRotation,
  insertKeyOnce,
  isPepperUsed,
  type KeyColumns,
  type MasterKeyName,
  prepareMasterKey as markPrepared,
  pepperRows,
  readMasterKeyState,
  readWrappedValues,
  replaceWrapped,
  retireKeys,
  retirePepper,
  usePreparedMasterKey,
} from './store.ts'
import { typedTokensMark } from './untyped-tokens.ts'

type RotationSources = { database: Database; kms: Kms; clock: Clock }

const overlapSeconds = {
  signing: keyLimits.signingOverlapSeconds,
  sealing: keyLimits.sealingOverlapSeconds,
} as const

/**
 * `atOnce` is for a leaked key: its signatures become invalid as soon as the servers refresh their keys. While a server
 * of release 0.1.0 runs, a new signing key signs untyped tokens, which that server accepts.
 */
export async function rotateServerKey(
  purpose: 'signing' | 'sealing',
  { database, kms, clock }: RotationSources,
  { atOnce }: { atOnce: boolean },
): Promise<string> {
  const now = nowSeconds(clock)
  const isUntyped =
    purpose === 'signing' && (await listServersWithout(database.db, typedTokensMark, now)).length > 0
  const key = await newServerKey(purpose, { kms, clock }, isUntyped ? randomId() : undefined)
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
 * Creates a pepper that is used in twenty minutes. Values of the previous pepper stay valid while a row refers to it.
 * Throws if the previous pepper is not in use yet, or if a running server does not support named peppers.
 */
export async function rotatePepper({ database, kms, clock }: RotationSources): Promise<string> {
  const key = await newServerKey('pepper', { kms, clock })
  const now = nowSeconds(clock)
  const newest = (await pepperRows(database.db)).findLast(({ retired_at }) => retired_at === null)
  if (!newest) throw new MasterKeyError('This database has no pepper yet. Start its server first.')
  const without = await listServersWithout(database.db, newest.id, now)
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

/** Deletes peppers that no row refers to, ten minutes after they were retired. */
export async function dropPeppers({
  database,
  clock,
  columns,
}: Omit<RotationSources, 'kms'> & { columns: Pick<KeyColumns, 'peppered'> }): Promise<{
  dropped: readonly string[]
  /** Retired peppers that a row still refers to, or that were retired less than ten minutes ago. */
  retained: readonly string[]
}> {
  const now = nowSeconds(clock)
  return database.transaction(async (trx) => {
    const dropped: string[] = []
    const retained: string[] = []
    for (const { id, retired_at } of await pepperRows(trx)) {
      if (retired_at === null || retired_at > now) continue
      const isOver =
        now - retired_at >= keyLimits.retiredPepperSeconds && !(await isPepperUsed(trx, id, columns.peppered))
      if (isOver) await deleteKey(trx, id)
      const list = isOver ? dropped : retained
      list.push(id)
    }
    return { dropped, retained }
  })
}

type FileSources = { database: Database }

/**
 * Appends a new key to the file, for distribution to all machines. It is not used before `commitMasterKey`.
 *
 * The first recovery key creates the file. If an interrupted run has already created it, its key is used.
 */
export async function prepareMasterKey(
  file: string,
  { database }: FileSources,
  name: MasterKeyName = 'master',
): Promise<string> {
  const { current } = (await readMasterKeyState(database.db))[name]
  const isFirst = current === null
  const earlierKeys = isFirst && !masterKeyFileExists(file) ? undefined : readMasterKeys(file)
  const key = (isFirst && earlierKeys?.at(-1)) || newMasterKey()
  // Writes the file first: the database must never name a key without a file. An unnamed key in a file is harmless.
  if (earlierKeys === undefined) createMasterKeyFile(file, [key])
  else if (!isFirst) replaceMasterKeyFile(file, [...earlierKeys, key])
  if (await markPrepared(database.db, name, key.id)) return key.id
  if (earlierKeys !== undefined) replaceMasterKeyFile(file, earlierKeys)
  else rmSync(file)
  throw new MasterKeyError(
    `rotation_under_way: an earlier rotation is not finished. Run ${formatCommand('commit', name)} first, ` +
      'and again ten minutes later.',
  )
}

export const formatCommand = (step: 'prepare' | 'commit' | 'cancel', name: MasterKeyName) =>
  `latchkey keys rotate ${step}${name === 'recovery' ? ' recovery' : ''}`

/** Cancels a rotation: removes a prepared key that is not in use yet. */
export async function cancelMasterKey(
  file: string,
  { database }: FileSources,
  name: MasterKeyName = 'master',
): Promise<string> {
  const { prepared, current } = (await readMasterKeyState(database.db))[name]
  if (prepared === null) {
    throw new MasterKeyError('rotation_not_prepared: there is no prepared key to cancel.')
  }
  // The database decides: a key is unused if the database does not name it, even if a file contains it.
  if (!(await cancelPreparedMasterKey(database.db, name, prepared))) {
    throw new MasterKeyError('rotation_under_way: the prepared key is already in use.')
  }
  if (current === null && !masterKeyFileExists(file)) return prepared
  const [first, ...rest] = readMasterKeys(file).filter(({ id }) => id !== prepared)
  if (first) replaceMasterKeyFile(file, [first, ...rest])
  // The file was created for this key, and nothing is wrapped with it.
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
  /** Number of keys that were removed from the file. */
  dropped: number
  /** Whether the rotation is complete. */
  isOver: boolean
}

/**
 * 1. Makes the prepared key current in the database. 2. Wraps all secrets again, in batches. 3. Removes the previous
 *    keys from the file ten minutes later, when no row needs them.
 *
 * Each run does the remaining steps, so an interrupted commit is run again. The first recovery key takes over the
 * recovery shares; the master key stays in its file.
 */
export async function commitMasterKey(
  file: string,
  sources: CommitSources,
  name: MasterKeyName = 'master',
): Promise<Commit> {
  const { database, kms, clock } = sources
  const { db } = database
  const reload = name === 'master' ? kms.reload : kms.reloadRecovery
  const { prepared, since } = (await readMasterKeyState(db))[name]
  if (prepared === null && since === null) {
    throw new MasterKeyError(`rotation_not_prepared: run ${formatCommand('prepare', name)} first.`)
  }
  if (prepared !== null) {
    // Throws if this file lacks the key, before the database refers to it.
    reload(prepared)
    const without = await listServersWithout(db, prepared, nowSeconds(clock))
    if (without.length > 0) {
      throw new MasterKeyError(
        `servers_without_key: these servers run without the key ${prepared}: ${without.join(', ')}. ` +
          'Put the key file on each machine and run this again a minute later. A server that was killed is forgotten after three minutes.',
      )
    }
    await usePreparedMasterKey(db, name, prepared, nowSeconds(clock))
  }
  const { current, since: usedSince } = (await readMasterKeyState(db))[name]
  if (current === null) throw new MasterKeyError('rotation_not_prepared: the prepared key was cancelled.')
  reload(current)
  const rewrapped = await rewrapAll(sources)
  // A slow server may have written with the old key meanwhile, so a run that found something checks once more.
  const isOld = usedSince !== null && nowSeconds(clock) - usedSince >= keyLimits.masterKeyKeptSeconds
  if (!isOld || (rewrapped > 0 && (await rewrapAll(sources)) > 0)) {
    return { keyId: current, rewrapped, dropped: 0, isOver: false }
  }
  const keys = readMasterKeys(file)
  const currentKey = keys.find((key) => key.id === current)
  if (!currentKey)
    throw new MasterKeyError(
      `The master key file ${file} does not contain the key ${current}. Restore it from its backup.`,
    )
  if (keys.length > 1) replaceMasterKeyFile(file, [currentKey])
  await endMasterKeyRotation(db, name)
  return { keyId: current, rewrapped, dropped: keys.length - 1, isOver: true }
}

async function rewrapAll({ database: { db }, kms, columns }: CommitSources): Promise<number> {
  let rewrapped = 0
  for await (const value of readWrappedValues(db, columns.wrapped, keyLimits.rewrapBatchRows)) {
    if (kms.isCurrent(value.wrapped)) continue
    await replaceWrapped(db, value, kms.rewrap(value.wrapped))
    rewrapped += 1
  }
  return rewrapped
}

/** The age of the keys in use, so that operators notice overdue rotations. */
const age = gauge({
  name: `${product.key}.key.age`,
  unit: 's',
  description: 'Age of the key in use, by purpose',
  attributes: ['purpose'],
})

/** Returns a function that removes the metric. */
export const watchKeyAges = (keyring: Pick<Keyring, 'createdAt'>, clock: Clock): (() => void) =>
  age.observe(() =>
    Object.entries(keyring.createdAt()).map(([purpose, createdAt]) => ({
      value: nowSeconds(clock) - createdAt,
      values: { purpose },
    })),
  )
