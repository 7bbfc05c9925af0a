/**
 * Imports the records of one chunk. It links and confirms no account: a created user only expects accounts, which the
 * first login proves. An existing user gets an empty external id or empty metadata filled, and nothing else.
 */
import type { ImportOmission, ImportReason, ImportResult } from '@latchkey/protocol/admin'
import { releasePlace, reservePlace } from '../../../identity/apps/apps.ts'
import {
  fillEmptyFields,
  findMissingMetadata,
  findOwnersByAccount,
  findOwnersByExternalId,
  formatName,
  insertExpectedUsers,
  type NewExpectedUser,
  readExternalIds,
  readMetadataByUser,
} from '../../../identity/users/users.ts'
import { randomId } from '../../../kernel/ids.ts'
import { type Clock, nowSeconds, type Trx } from '../../../kernel/ports.ts'
import type { StagedRecord } from './records.ts'
import { type ImportedUser, parseRecord } from './sources/parse.ts'
import { formatUserKey, type ImportRow, withImportTables } from './tables.ts'

export type RecordResult = {
  line: number
  result: ImportResult
  why: ImportReason | null
  userId: string | null
  leftOut: ImportOmission[]
}

type Chunk = { row: ImportRow; isLimited: boolean; records: StagedRecord[] }

/** External ids are claimed like accounts. No account has this type. */
const externalName = (identifier: string) => ({ type: 'external_id', identifier })
const listNames = ({ accounts, externalId }: ImportedUser) => [...accounts, externalName(externalId)]

export async function importRecords(trx: Trx, clock: Clock, chunk: Chunk): Promise<RecordResult[]> {
  const { row, isLimited, records } = chunk
  const appId = row.app_id
  const isDryRun = row.dry_run === 1
  const parsed = records.map((record) => ({
    line: record.line,
    record:
      'fault' in record ? { reason: record.fault } : parseRecord(row.source, record.value, clock.nowMs()),
  }))
  const users = parsed.flatMap(({ record }) => ('user' in record ? record.user : []))
  const { owners, reported } = await findOwners(trx, row, users)
  const ownerIds = [...new Set(owners.values())]
  const externalIds = await readExternalIds(trx, ownerIds)
  const metadata = await readMetadataByUser(trx, ownerIds)
  const created = new Map<string, { user: NewExpectedUser; result: RecordResult }>()
  const results: RecordResult[] = []

  for (const { line, record } of parsed) {
    const leftOut = 'user' in record ? record.user.leftOut : (record.leftOut ?? [])
    const add = (result: ImportResult, why: ImportReason | null, userId: string | null = null) => {
      const added = { line, result, why, userId, leftOut }
      results.push(added)
      return added
    }
    if (!('user' in record)) {
      add('skipped', record.reason)
      continue
    }
    const { user } = record
    const names = listNames(user)
    const [userId, another] = new Set(names.flatMap((name) => owners.get(formatName(name)) ?? []))
    if (another !== undefined) add('conflict', 'several_users')
    else if (userId !== undefined && (reported.has(userId) || created.has(userId)))
      add('conflict', 'duplicate')
    else if (userId !== undefined) {
      reported.add(userId)
      const fills = await fillUser(trx, row, userId, user, { externalIds, metadata })
      if (fills === 'filled') add('merged', null, userId)
      else if (fills === 'unchanged') add('skipped', 'exists', userId)
      else add('conflict', 'other_external_id', userId)
    } else if (isLimited && !isDryRun && !(await reservePlace(trx, appId))) add('skipped', 'app_full')
    else {
      const id = `usr_${randomId()}`
      for (const name of names) owners.set(formatName(name), id)
      const result = add('created', null, isDryRun ? null : id)
      created.set(id, { user: toNewUser(id, user, nowSeconds(clock)), result })
    }
  }

  const newUsers = [...created.values()].map(({ user }) => user)
  if (isDryRun) {
    await insertClaims(trx, row, newUsers, nowSeconds(clock))
    return results
  }
  for (const id of await insertExpectedUsers(trx, appId, newUsers)) {
    const lost = created.get(id)
    if (lost) Object.assign(lost.result, { result: 'conflict', why: 'account_taken', userId: null })
    if (isLimited) await releasePlace(trx, appId)
  }
  return results
}

const toNewUser = (id: string, user: ImportedUser, now: number): NewExpectedUser => ({
  id,
  createdAt: user.createdAt ?? now,
  blocked: user.block ? { at: now, reason: user.block.reason } : null,
  accounts: user.accounts,
  externalId: user.externalId,
  metadata: user.metadata,
})

type Owners = {
  /** The user of each account and external id, by `formatName`. */
  owners: Map<string, string>
  /** Users with a result in this import. */
  reported: Set<string>
}

async function findOwners(trx: Trx, row: ImportRow, users: ImportedUser[]): Promise<Owners> {
  const externalIds = users.map(({ externalId }) => externalId)
  const owners = await findOwnersByAccount(
    trx,
    row.app_id,
    users.flatMap(({ accounts }) => accounts),
  )
  for (const [externalId, userId] of await findOwnersByExternalId(trx, row.app_id, externalIds)) {
    owners.set(formatName(externalName(externalId)), userId)
  }
  const reported = await findReported(trx, row, [...new Set(owners.values())])
  if (row.dry_run === 0) return { owners, reported }
  for (const [type, names] of Map.groupBy(users.flatMap(listNames), (name) => name.type)) {
    const claims = await withImportTables(trx)
      .selectFrom('import_claims')
      .select(['type', 'identifier', 'planned_id'])
      .where('import_id', '=', row.id)
      .where('type', '=', type)
      .where(
        'identifier',
        'in',
        names.map(({ identifier }) => identifier),
      )
      .execute()
    for (const claim of claims) {
      owners.set(formatName(claim), claim.planned_id)
      // The report of a dry run does not name users that it would create.
      reported.add(claim.planned_id)
    }
  }
  return { owners, reported }
}

async function findReported(trx: Trx, row: ImportRow, userIds: string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await withImportTables(trx)
    .selectFrom('import_rows')
    .select('user_id')
    .where(
      'user_key',
      'in',
      userIds.map((userId) => formatUserKey(row.id, userId)),
    )
    .execute()
  return new Set(rows.flatMap(({ user_id: userId }) => userId ?? []))
}

type Stored = {
  externalIds: Awaited<ReturnType<typeof readExternalIds>>
  metadata: Awaited<ReturnType<typeof readMetadataByUser>>
}

/** Locks the user only if something may be set, so that a repeated import reads in few statements. */
async function fillUser(
  trx: Trx,
  row: ImportRow,
  userId: string,
  user: ImportedUser,
  { externalIds, metadata }: Stored,
): Promise<'filled' | 'unchanged' | 'other external id'> {
  const externalId = externalIds.get(userId)
  if (externalId !== undefined && externalId !== user.externalId) return 'other external id'
  const missing = findMissingMetadata(metadata.get(userId), user.metadata)
  if (externalId !== undefined && missing === undefined) return 'unchanged'
  if (row.dry_run === 1) return 'filled'
  return fillEmptyFields(trx, { appId: row.app_id, userId }, user)
}

async function insertClaims(trx: Trx, row: ImportRow, users: NewExpectedUser[], now: number): Promise<void> {
  const claims = users.flatMap((user) =>
    [...user.accounts, externalName(user.externalId)].map(({ type, identifier }) => ({
      import_id: row.id,
      type,
      identifier,
      planned_id: user.id,
      created_at: now,
    })),
  )
  if (claims.length > 0) await withImportTables(trx).insertInto('import_claims').values(claims).execute()
}
