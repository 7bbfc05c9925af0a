/** The statements of imports, their uploads and their reports. */
import {
  type AdminImport,
  type AdminImportRow,
  adminLimits,
  type ImportResult,
  type ImportSource,
} from '@latchkey/protocol/admin'
import { sql } from 'kysely'
import type { OverdueRows } from '../../../kernel/db/cleanup.ts'
import { AdminError } from '../../../kernel/http/admin-endpoint.ts'
import { randomId } from '../../../kernel/ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import { formatTime } from '../pages.ts'
import { importLimits } from './limits.ts'
import { readChunks, type StagedRecord } from './records.ts'
import { type ImportReportRow, type ImportRow, withImportTables } from './tables.ts'

const formatOptional = (seconds: number | null) => (seconds === null ? null : formatTime(seconds))

export const describeImport = (row: ImportRow): AdminImport => ({
  id: row.id,
  appId: row.app_id,
  source: row.source,
  dryRun: row.dry_run === 1,
  state: row.state,
  parts: row.parts,
  records: row.records,
  done: row.done,
  created: row.created,
  merged: row.merged,
  conflicts: row.conflicts,
  skipped: row.skipped,
  createdAt: formatTime(row.created_at),
  startedAt: formatOptional(row.started_at),
  endedAt: formatOptional(row.ended_at),
})

const importNotFound = (id: string) => new AdminError('import_not_found', `There is no import ${id}`)
const importNotOpen = ({ state }: ImportRow) => new AdminError('import_not_open', `The import is ${state}`)

/** Bounds the records that wait in the database. */
export async function assertFewOpen(reader: Reader, appId: string): Promise<void> {
  const { open } = await withImportTables(reader)
    .selectFrom('imports')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('app_id', '=', appId)
    .where('state', 'in', ['open', 'running', 'failed'])
    .executeTakeFirstOrThrow()
  if (open >= adminLimits.mostOpenImports) {
    throw new AdminError('too_many_imports', `Start or cancel one of the ${open} imports first`)
  }
}

export async function createImport(
  trx: Trx,
  clock: Clock,
  { appId, source, isDryRun }: { appId: string; source: ImportSource; isDryRun: boolean },
): Promise<ImportRow> {
  const row: ImportRow = {
    id: `imp_${randomId()}`,
    app_id: appId,
    source,
    dry_run: isDryRun ? 1 : 0,
    state: 'open',
    parts: 0,
    records: 0,
    done: 0,
    created: 0,
    merged: 0,
    conflicts: 0,
    skipped: 0,
    created_at: nowSeconds(clock),
    started_at: null,
    ended_at: null,
    expires_at: nowSeconds(clock) + importLimits.openSeconds,
    lease: null,
    lease_until_ms: null,
    failures: 0,
  }
  await withImportTables(trx).insertInto('imports').values(row).execute()
  return row
}

/** Returns the imports of an app after a position, newest first. */
export function readImportsPage(
  reader: Reader,
  appId: string,
  position: { at: number; id: string } | undefined,
  limit: number,
): Promise<ImportRow[]> {
  const query = withImportTables(reader)
    .selectFrom('imports')
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  return (
    position ? query.where(sql<boolean>`(created_at, id) < (${position.at}, ${position.id})`) : query
  ).execute()
}

/** Returns an import of any app. Callers check the app. */
export async function requireImport(reader: Reader, id: string): Promise<ImportRow> {
  const row = await withImportTables(reader)
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw importNotFound(id)
  return row
}

/** Locks the import by an update without changes, because SQLite has no `select … for update`. */
export async function lockImport(trx: Trx, id: string): Promise<ImportRow> {
  const row = await withImportTables(trx)
    .updateTable('imports')
    .set((one) => ({ app_id: one.ref('app_id') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw importNotFound(id)
  return row
}

export type Upload = { id: string; records: number }

/** Stores the records of a file. They belong to no import until `putPart`, so a broken upload changes none. */
export async function stageUpload(
  db: Reader,
  clock: Clock,
  records: AsyncIterable<StagedRecord>,
): Promise<Upload> {
  const upload = { id: randomId(), records: 0 }
  let chunk = 0
  try {
    for await (const { records: count, content } of readChunks(records)) {
      const row = { upload: upload.id, chunk, records: count, content, created_at: nowSeconds(clock) }
      await withImportTables(db).insertInto('import_chunks').values(row).execute()
      upload.records += count
      chunk += 1
    }
    return upload
  } catch (error) {
    await removeUpload(db, upload.id)
    throw error
  }
}

async function removeUpload(reader: Reader, upload: string): Promise<void> {
  await withImportTables(reader).deleteFrom('import_chunks').where('upload', '=', upload).execute()
}

/** Makes an upload a part of an open import. Replaces the earlier upload of this part. */
export async function putPart(
  trx: Trx,
  clock: Clock,
  importId: string,
  part: number,
  upload: Upload,
): Promise<ImportRow> {
  const row = await lockImport(trx, importId)
  if (row.state !== 'open') throw importNotOpen(row)
  const db = withImportTables(trx)
  const earlier = await db
    .deleteFrom('import_parts')
    .where('import_id', '=', importId)
    .where('part', '=', part)
    .returning(['upload', 'records'])
    .executeTakeFirst()
  if (earlier) await removeUpload(trx, earlier.upload)
  const { id, records } = upload
  await db
    .insertInto('import_parts')
    .values({ import_id: importId, part, upload: id, records, created_at: nowSeconds(clock) })
    .execute()
  const counts = {
    parts: row.parts + (earlier ? 0 : 1),
    records: row.records + records - (earlier?.records ?? 0),
  }
  await db.updateTable('imports').set(counts).where('id', '=', importId).execute()
  return { ...row, ...counts }
}

/** Starts an import, or continues a failed one. An import that runs or is finished stays as it is. */
export async function startImport(trx: Trx, clock: Clock, id: string): Promise<ImportRow> {
  const row = await lockImport(trx, id)
  if (row.state === 'running' || row.state === 'finished') return row
  if (row.state === 'cancelled') throw importNotOpen(row)
  if (row.records === 0) throw new AdminError('nothing_to_import', 'Upload a part with records first')
  const started = {
    state: 'running',
    started_at: row.started_at ?? nowSeconds(clock),
    expires_at: null,
    failures: 0,
    lease_until_ms: 0,
  } as const
  await withImportTables(trx).updateTable('imports').set(started).where('id', '=', id).execute()
  return { ...row, ...started }
}

/** Ends an import that is not finished. A running chunk is rolled back, because it needs the row of the import. */
export async function cancelImport(trx: Trx, clock: Clock, id: string): Promise<ImportRow> {
  const row = await lockImport(trx, id)
  if (row.state === 'cancelled') return row
  if (row.state === 'finished') throw importNotOpen(row)
  return endImport(trx, clock, row, 'cancelled')
}

/** Ends an import. `findLeftovers` deletes its records in small batches. The report stays. */
export async function endImport(
  trx: Trx,
  clock: Clock,
  row: ImportRow,
  state: 'finished' | 'cancelled',
): Promise<ImportRow> {
  const now = nowSeconds(clock)
  const ended = {
    state,
    ended_at: now,
    expires_at: now + importLimits.keptSeconds,
    lease: null,
    lease_until_ms: null,
  }
  const db = withImportTables(trx)
  await db.updateTable('imports').set(ended).where('id', '=', row.id).execute()
  await db.deleteFrom('import_parts').where('import_id', '=', row.id).execute()
  return { ...row, ...ended }
}

/** Takes the next chunk of an import out of the table. Returns undefined after the last one. */
export async function takeChunk(
  trx: Trx,
  importId: string,
): Promise<{ part: number; content: string } | undefined> {
  const db = withImportTables(trx)
  for (;;) {
    const part = await db
      .selectFrom('import_parts')
      .select(['part', 'upload'])
      .where('import_id', '=', importId)
      .orderBy('part')
      .limit(1)
      .executeTakeFirst()
    if (part === undefined) return undefined
    const chunk = await db
      .selectFrom('import_chunks')
      .select(['chunk', 'content'])
      .where('upload', '=', part.upload)
      .orderBy('chunk')
      .limit(1)
      .executeTakeFirst()
    if (chunk !== undefined) {
      await db
        .deleteFrom('import_chunks')
        .where('upload', '=', part.upload)
        .where('chunk', '=', chunk.chunk)
        .execute()
      return { part: part.part, content: chunk.content }
    }
    // The part is done.
    await db
      .deleteFrom('import_parts')
      .where('import_id', '=', importId)
      .where('part', '=', part.part)
      .execute()
  }
}

/** Finds chunks that belong to no part, and the claims of ended dry runs. */
export async function findLeftovers(reader: Reader, now: number): Promise<OverdueRows[]> {
  const db = withImportTables(reader)
  const uploads = await db
    .selectFrom('import_chunks as chunk')
    .select('chunk.upload')
    .distinct()
    .where('chunk.created_at', '<=', now - importLimits.uploadSeconds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('import_parts as part').select('part.part').whereRef('part.upload', '=', 'chunk.upload'),
        ),
      ),
    )
    .execute()
  const dryRuns = await db
    .selectFrom('imports as import')
    .select('import.id')
    .where('import.state', 'in', ['finished', 'cancelled'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('import_claims as claim')
          .select('claim.type')
          .whereRef('claim.import_id', '=', 'import.id'),
      ),
    )
    .execute()
  return [
    ...uploads.map(({ upload }) => ({
      table: 'import_chunks',
      key: ['upload', 'chunk'],
      column: 'created_at',
      upTo: now,
      where: { column: 'upload', is: upload },
    })),
    ...dryRuns.map(({ id }) => ({
      table: 'import_claims',
      key: ['import_id', 'type', 'identifier'],
      column: 'created_at',
      upTo: now,
      where: { column: 'import_id', is: id },
    })),
  ]
}

type ReportPosition = { part: number; line: number }

export function parseReportCursor(text: string | undefined): ReportPosition {
  const [part = 0, line = 0] = (text ?? '').split('.').map(Number)
  return { part, line }
}

const describeRow = (row: ImportReportRow): AdminImportRow => ({
  cursor: `${row.part}.${row.line}`,
  part: row.part,
  line: row.line,
  result: row.result,
  why: row.why as AdminImportRow['why'],
  id: row.user_id,
  leftOut: row.left_out.split(' ').filter((each) => each !== '') as AdminImportRow['leftOut'],
})

/** Yields the rows of a report after a position, or those with one result. */
export async function* readReportBatches(
  reader: Reader,
  importId: string,
  after: ReportPosition,
  result?: ImportResult,
): AsyncGenerator<AdminImportRow[]> {
  const all = withImportTables(reader).selectFrom('import_rows').selectAll().where('import_id', '=', importId)
  const selected = result === undefined ? all : all.where('result', '=', result)
  for (let { part, line } = after; ; ) {
    const rows = await selected
      .where(sql<boolean>`(part, line) > (${part}, ${line})`)
      .orderBy('part')
      .orderBy('line')
      .limit(importLimits.reportBatchRows)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(describeRow)
    part = last.part
    line = last.line
  }
}
