/**
 * The audit log of the Admin API. Each entry contains the hash of the previous entry of its app, so that a changed or
 * missing entry is found. An attacker with write access to the database can replace a whole chain: compare its
 * head with a copy that you keep elsewhere.
 */
import { hash } from 'node:crypto'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { adminServerLimits } from './limits.ts'
import { type AdminAuditRow, withAdminTables } from './tables.ts'

export type AuditHead = { chain: string; sequence: number; hash: string }
/** A head, and when its entry was written. */
type DatedHead = AuditHead & { at: number }

export type AdminAuditEntry = Pick<
  AdminAuditRow,
  'chain' | 'actor' | 'operation' | 'status' | 'result' | 'request_id'
> &
  Partial<Pick<AdminAuditRow, 'scope' | 'user_id' | 'target' | 'before_digest' | 'after_digest' | 'address'>>

/** Every column but `hash`, in a fixed order. */
const hashedColumns = [
  'chain',
  'sequence',
  'at',
  'actor',
  'operation',
  'scope',
  'user_id',
  'target',
  'status',
  'result',
  'request_id',
  'before_digest',
  'after_digest',
  'address',
  'prev',
  'prev_at',
] as const satisfies (keyof AdminAuditRow)[]

const hashEntry = (row: Omit<AdminAuditRow, 'hash'>): string =>
  hash('sha256', JSON.stringify(hashedColumns.map((column) => row[column])), 'base64url')

/** Appends an entry in the transaction of the call. Entries of one chain wait for each other until the commit. */
export async function appendAdminAudit(trx: Trx, clock: Clock, entry: AdminAuditEntry): Promise<void> {
  const head = await lockHead(trx, entry.chain)
  const row = {
    scope: '',
    user_id: null,
    target: null,
    before_digest: null,
    after_digest: null,
    address: null,
    ...entry,
    sequence: head.sequence + 1,
    at: nowSeconds(clock),
    prev: head.hash,
    prev_at: head.at,
  }
  const hashed = { ...row, hash: hashEntry(row) }
  const db = withAdminTables(trx)
  await db.insertInto('admin_audit').values(hashed).execute()
  await db
    .updateTable('admin_audit_heads')
    .set({ sequence: hashed.sequence, hash: hashed.hash, at: hashed.at })
    .where('chain', '=', entry.chain)
    .execute()
}

/** Locks the head by an update without changes, because SQLite has no `select … for update`. */
async function lockHead(trx: Trx, chain: string): Promise<DatedHead> {
  const db = withAdminTables(trx)
  await db
    .insertInto('admin_audit_heads')
    .values({ chain, sequence: 0, hash: '', at: 0 })
    .onConflict((conflict) => conflict.column('chain').doNothing())
    .execute()
  return db
    .updateTable('admin_audit_heads')
    .set((head) => ({ chain: head.ref('chain') }))
    .where('chain', '=', chain)
    .returning(['chain', 'sequence', 'hash', 'at'])
    .executeTakeFirstOrThrow()
}

/** Returns the heads of all chains, or of one app. */
export function readAuditHeads(reader: Reader, appId?: string | null): Promise<DatedHead[]> {
  const query = withAdminTables(reader)
    .selectFrom('admin_audit_heads')
    .select(['chain', 'sequence', 'hash', 'at'])
    .orderBy('chain')
  return (typeof appId === 'string' ? query.where('chain', '=', appId) : query).execute()
}

type EntryFilter = { chain: string; event?: string | undefined; userId?: string | undefined }

/** Returns the newest entries, before the sequence if it is set. */
export function readAuditEntries(
  reader: Reader,
  { chain, event, userId }: EntryFilter,
  before: number | undefined,
  limit: number,
): Promise<AdminAuditRow[]> {
  let query = withAdminTables(reader)
    .selectFrom('admin_audit')
    .selectAll()
    .where('chain', '=', chain)
    .orderBy('sequence', 'desc')
    .limit(limit)
  if (event !== undefined) query = query.where('operation', '=', event)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (before !== undefined) query = query.where('sequence', '<', before)
  return query.execute()
}

/** Yields the entries after a sequence in batches, up to the head at the start. */
export async function* readAuditBatches(
  reader: Reader,
  chain: string,
  after: number,
): AsyncGenerator<AdminAuditRow[]> {
  const [head] = await readAuditHeads(reader, chain)
  if (head === undefined) return
  for (let last = after; last < head.sequence; ) {
    const rows = await withAdminTables(reader)
      .selectFrom('admin_audit')
      .selectAll()
      .where('chain', '=', chain)
      .where('sequence', '>', last)
      .where('sequence', '<=', head.sequence)
      .orderBy('sequence')
      .limit(adminServerLimits.auditBatchRows)
      .execute()
    const end = rows.at(-1)
    if (end === undefined) return
    yield rows
    last = end.sequence
  }
}

export type ChainCheck = AuditHead & {
  /** The first sequence that is still stored. Older entries have expired. */
  first: number
  /** The first entry that is wrong, and why. 0 stands for the head itself. */
  fault: { sequence: number; reason: 'missing' | 'changed' } | undefined
}

/**
 * Verifies each chain from its oldest stored entry. Only expired entries may be missing before it. `expected` are heads
 * that were stored elsewhere: their entries must still have the same hash.
 */
export async function verifyAuditChains(
  reader: Reader,
  clock: Clock,
  expected: AuditHead[] = [],
): Promise<ChainCheck[]> {
  const keptSince = nowSeconds(clock) - adminServerLimits.auditKeptSeconds
  const heads = await readAuditHeads(reader)
  const stored = await withAdminTables(reader).selectFrom('admin_audit').select('chain').distinct().execute()
  const names = new Set([...heads, ...stored, ...expected].map(({ chain }) => chain))
  const checks: ChainCheck[] = []
  for (const chain of names) {
    const head = heads.find((each) => each.chain === chain)
    checks.push(
      head === undefined
        ? { chain, sequence: 0, hash: '', first: 0, fault: { sequence: 0, reason: 'missing' } }
        : await verifyChain(reader, head, expected, keptSince),
    )
  }
  return checks
}

async function verifyChain(
  reader: Reader,
  { at: headAt, ...head }: DatedHead,
  allExpected: AuditHead[],
  keptSince: number,
): Promise<ChainCheck> {
  const expected = new Map(
    allExpected.filter(({ chain }) => chain === head.chain).map(({ sequence, hash }) => [sequence, hash]),
  )
  let first: number | undefined
  let previous: { sequence: number; hash: string } | undefined
  const failAt = (sequence: number, reason: 'missing' | 'changed'): ChainCheck => ({
    ...head,
    first: first ?? 0,
    fault: { sequence, reason },
  })
  for (;;) {
    const rows = await withAdminTables(reader)
      .selectFrom('admin_audit')
      .selectAll()
      .where('chain', '=', head.chain)
      .where('sequence', '>', previous?.sequence ?? 0)
      .orderBy('sequence')
      .limit(adminServerLimits.auditBatchRows)
      .execute()
    for (const row of rows) {
      if (first === undefined && row.sequence > 1 && row.prev_at > keptSince) {
        return failAt(row.sequence - 1, 'missing')
      }
      first ??= row.sequence
      const next = previous === undefined ? row.sequence : previous.sequence + 1
      if (row.sequence !== next) return failAt(next, 'missing')
      const prev = previous?.hash ?? (row.sequence === 1 ? '' : row.prev)
      const expectedHash = expected.get(row.sequence)
      const isOtherHead = row.sequence === head.sequence && row.hash !== head.hash
      const isChanged =
        isOtherHead ||
        row.prev !== prev ||
        hashEntry(row) !== row.hash ||
        (expectedHash ?? row.hash) !== row.hash
      if (isChanged) return failAt(row.sequence, 'changed')
      previous = { sequence: row.sequence, hash: row.hash }
    }
    if (rows.length < adminServerLimits.auditBatchRows) break
  }
  const last = Math.max(head.sequence, ...expected.keys())
  if (previous === undefined && headAt > keptSince) return failAt(head.sequence, 'missing')
  if (previous !== undefined && previous.sequence < last) return failAt(previous.sequence + 1, 'missing')
  return { ...head, first: first ?? 0, fault: undefined }
}
