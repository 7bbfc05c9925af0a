/** Calls about imports. */
import { adminImportRoutes, adminLimits } from '@latchkey/protocol/admin'
import type { ServerContext } from '../../../kernel/context.ts'
import {
  type AdminCall,
  type AdminEndpoint,
  AdminError,
  adminChange,
  adminPreparedChange,
  adminRead,
  adminStream,
} from '../../../kernel/http/admin-endpoint.ts'
import type { Reader } from '../../../kernel/ports.ts'
import { assertApp } from '../calls.ts'
import { formatPosition, parsePosition, toPage } from '../pages.ts'
import { readRecords } from './records.ts'
import { sources } from './sources/parse.ts'
import {
  assertFewOpen,
  cancelImport,
  createImport,
  describeImport,
  parseReportCursor,
  putPart,
  readImportsPage,
  readReportBatches,
  requireImport,
  stageUpload,
  startImport,
} from './store.ts'
import type { ImportRow } from './tables.ts'

const importId = ({ params }: Pick<AdminCall, 'params'>) => params.import ?? ''

/** Returns the import. One of another app than that of the key does not exist for it. */
async function requireOwnImport(
  reader: Reader,
  call: Pick<AdminCall, 'caller' | 'params'>,
): Promise<ImportRow> {
  const row = await requireImport(reader, importId(call))
  const { appId } = call.caller
  if (appId !== null && appId !== row.app_id) {
    throw new AdminError('import_not_found', `There is no import ${row.id}`)
  }
  return row
}

function partNumber({ params }: Pick<AdminCall, 'params'>): number {
  const part = Number(params.part)
  if (/^[1-9]\d{0,3}$/.test(params.part ?? '') && part <= adminLimits.mostParts) return part
  throw new AdminError('invalid_data', `Parts have numbers from 1 to ${adminLimits.mostParts}`, {
    path: 'part',
  })
}

const answer = (row: ImportRow) => ({ output: describeImport(row), appId: row.app_id })

/** Reads a part without holding it in memory. */
async function stagePart(
  call: AdminCall<typeof adminImportRoutes.uploadImportPart>,
  { db, clock }: ServerContext,
) {
  const row = await requireOwnImport(db, call)
  if (row.state !== 'open') throw new AdminError('import_not_open', `The import is ${row.state}`)
  partNumber(call)
  let bytes = 0
  const { mediaType, chunks } = call.file
  async function* count() {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength
      yield chunk
    }
  }
  const records = readRecords({ mediaType, chunks: count() }, sources[row.source].csvColumns)
  const upload = await stageUpload(db, clock, records)
  return { upload, bytes }
}

export const importEndpoints: AdminEndpoint[] = [
  adminRead(adminImportRoutes.listImports, async ({ caller, query }, context) => {
    const { app: appId, after, limit = adminLimits.defaultPerPage } = query
    await assertApp(context, caller, appId)
    const rows = await readImportsPage(context.db, appId, parsePosition(after), limit + 1)
    const { page, next } = toPage(rows, limit, ({ created_at: at, id }) => formatPosition({ at, id }))
    return { output: { data: page.map(describeImport), next }, appId }
  }),

  adminPreparedChange(
    adminImportRoutes.createImport,
    ({ caller, body }, context) => assertApp(context, caller, body.app),
    async (trx, { body }, { clock }) => {
      const { app: appId, source, dryRun: isDryRun = false } = body
      await assertFewOpen(trx, appId)
      return answer(await createImport(trx, clock, { appId, source, isDryRun }))
    },
  ),

  adminPreparedChange(
    adminImportRoutes.uploadImportPart,
    stagePart,
    async (trx, call, { clock }, { upload, bytes }) => {
      const part = partNumber(call)
      const row = await putPart(trx, clock, importId(call), part, upload)
      return { output: { part, records: upload.records, bytes }, appId: row.app_id }
    },
  ),

  adminChange(adminImportRoutes.startImport, async (trx, call, { clock }) => {
    await requireOwnImport(trx, call)
    return answer(await startImport(trx, clock, importId(call)))
  }),

  adminRead(adminImportRoutes.getImport, async (call, { db }) => answer(await requireOwnImport(db, call))),

  adminStream(adminImportRoutes.readImportReport, async (call, { db }) => {
    const { id } = await requireOwnImport(db, call)
    const { after, result } = call.query
    return readReportBatches(db, id, parseReportCursor(after), result)
  }),

  adminChange(adminImportRoutes.cancelImport, async (trx, call, { clock }) => {
    await requireOwnImport(trx, call)
    return answer(await cancelImport(trx, clock, importId(call)))
  }),
]
