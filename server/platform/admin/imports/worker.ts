/**
 * Imports the records of started imports. Any number of processes may run a worker on one database: a lease gives an
 * import to one of them, by the clock of the database. A chunk is imported in one transaction together with its
 * report and its removal, so that a killed process leaves each record either reported or untouched.
 */
import { appById } from '../../../identity/apps/apps.ts'
import { recordAudit } from '../../../identity/audit/audit.ts'
import { publishAppEvent } from '../../../identity/outbox/outbox.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { isUnavailable } from '../../../kernel/db/failures.ts'
import { randomId } from '../../../kernel/ids.ts'
import { type Clock, nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { importRecords, type RecordResult } from './batch.ts'
import { importLimits } from './limits.ts'
import type { StagedRecord } from './records.ts'
import { endImport, takeChunk } from './store.ts'
import { formatUserKey, type ImportRow, withImportTables } from './tables.ts'

type Sources = Pick<ServerContext, 'db' | 'transaction' | 'clock'>
type Lease = { importId: string; lease: string }

/** The rows of this table are written by `stageUpload` only. */
const parseContent = (content: string): StagedRecord[] => JSON.parse(content)

export function createImportWorker({ log, ...sources }: Sources & Pick<ServerContext, 'log'>) {
  let isStopped = false

  /** Imports some chunks, and then lets other imports and processes have their turn. */
  async function runTurn(lease: Lease): Promise<void> {
    for (let chunks = 0; chunks < importLimits.chunksPerTurn && !isStopped; chunks += 1) {
      if ((await runChunk(sources, lease)) === 'ended') return
    }
    await endLease(sources, lease)
  }

  return {
    /** Imports until nothing is left to do. */
    async poll(): Promise<void> {
      try {
        for (let lease = await leaseImport(sources); lease; lease = await leaseImport(sources)) {
          await runTurn(lease)
          if (isStopped) return
        }
      } catch (error) {
        // Readiness reports an unreachable database. The lease ends, and the chunk is imported again.
        if (!isUnavailable(error)) log.error({ error }, 'an import failed')
      }
    },

    /** Imports no further chunk. */
    stop() {
      isStopped = true
    },
  }
}

/** Leases the running import that has waited longest. */
async function leaseImport({ db, transaction, clock }: Sources): Promise<Lease | undefined> {
  // A read first, because an idle server would otherwise write once a second.
  const free = await withImportTables(db)
    .selectFrom('imports')
    .select('id')
    .where('state', '=', 'running')
    .where('lease_until_ms', '<=', clock.nowMs())
    .orderBy('lease_until_ms')
    .limit(1)
    .executeTakeFirst()
  return free && transaction((trx) => takeLease(trx, clock, free.id))
}

/** Returns undefined if another process has a lease that is not over. */
export async function takeLease(trx: Trx, clock: Clock, importId: string): Promise<Lease | undefined> {
  const lease = randomId()
  const leased = await withImportTables(trx)
    .updateTable('imports')
    .set({ lease, lease_until_ms: clock.nowMs() + importLimits.leaseMs })
    .where('id', '=', importId)
    .where('state', '=', 'running')
    .where('lease_until_ms', '<=', clock.nowMs())
    .returning('id')
    .executeTakeFirst()
  return leased && { importId, lease }
}

/** Lets another process continue at once. Imports that wait longer come first. */
async function endLease({ db, clock }: Sources, { importId, lease }: Lease): Promise<void> {
  await withImportTables(db)
    .updateTable('imports')
    .set({ lease_until_ms: clock.nowMs() })
    .where('id', '=', importId)
    .where('lease', '=', lease)
    .where('state', '=', 'running')
    .execute()
}

/** Imports the next chunk, or ends the import. `ended` also if another process has the lease now. */
export async function runChunk(sources: Sources, lease: Lease): Promise<'continued' | 'ended'> {
  const { transaction, clock } = sources
  try {
    return await transaction(async (trx) => {
      // Locks the row. A cancelled import, or one with another lease, is left alone.
      const row = await withImportTables(trx)
        .updateTable('imports')
        .set({ lease_until_ms: clock.nowMs() + importLimits.leaseMs })
        .where('id', '=', lease.importId)
        .where('lease', '=', lease.lease)
        .where('state', '=', 'running')
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return 'ended'
      const chunk = await takeChunk(trx, row.id)
      if (chunk === undefined) {
        await finish(trx, sources, row)
        return 'ended'
      }
      const app = await appById(trx, row.app_id)
      if (app === undefined) throw new Error(`The app ${row.app_id} does not exist`)
      const isLimited = app.max_users !== null
      const records = parseContent(chunk.content)
      const results = await importRecords(trx, clock, { row, isLimited, records })
      await storeResults(trx, row, chunk.part, results, nowSeconds(clock))
      return 'continued'
    })
  } catch (error) {
    if (!isUnavailable(error)) await countFailure(sources, lease)
    throw error
  }
}

async function storeResults(
  trx: Trx,
  row: ImportRow,
  part: number,
  results: RecordResult[],
  now: number,
): Promise<void> {
  const db = withImportTables(trx)
  await db
    .insertInto('import_rows')
    .values(
      results.map(({ line, result, why, userId, leftOut }) => ({
        import_id: row.id,
        part,
        line,
        result,
        why,
        user_id: userId,
        user_key: userId === null ? null : formatUserKey(row.id, userId),
        left_out: leftOut.join(' '),
        created_at: now,
      })),
    )
    .execute()
  const count = (result: RecordResult['result']) => results.filter((each) => each.result === result).length
  await db
    .updateTable('imports')
    .set({
      done: row.done + results.length,
      created: row.created + count('created'),
      merged: row.merged + count('merged'),
      conflicts: row.conflicts + count('conflict'),
      skipped: row.skipped + count('skipped'),
      failures: 0,
    })
    .where('id', '=', row.id)
    .execute()
}

async function finish(trx: Trx, { clock }: Sources, row: ImportRow): Promise<void> {
  await endImport(trx, clock, row, 'finished')
  const { created, merged, conflicts, skipped } = row
  const counts = { created, merged, conflicts, skipped }
  const fields = { importId: row.id, dryRun: row.dry_run === 1, ...counts }
  await publishAppEvent(trx, clock, row.app_id, { type: 'import.finished', fields })
  await recordAudit(trx, clock, {
    event: 'import.finished',
    appId: row.app_id,
    userId: null,
    sessionId: null,
    details: { import: row.id, source: row.source, dry_run: row.dry_run === 1, ...counts },
  })
}

/** Waits for the operator after several failures, so that a broken chunk is not imported forever. */
async function countFailure({ transaction }: Sources, { importId, lease }: Lease): Promise<void> {
  await transaction(async (trx) => {
    const db = withImportTables(trx)
    const counted = await db
      .updateTable('imports')
      .set((row) => ({ failures: row('failures', '+', 1) }))
      .where('id', '=', importId)
      .where('lease', '=', lease)
      .returning('failures')
      .executeTakeFirst()
    if (counted === undefined || counted.failures < importLimits.mostFailures) return
    await db
      .updateTable('imports')
      .set({ state: 'failed', lease: null, lease_until_ms: null })
      .where('id', '=', importId)
      .execute()
  })
}
