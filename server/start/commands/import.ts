/** `latchkey import`: imports a file without the Admin API. A running server may take over after a stop. */
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, gunzipSync } from 'node:zlib'
import { toWire } from '@latchkey/protocol'
import { adminImportRoutes, type ImportSource, importSources } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { AppRefusal, requireApp } from '../../identity/apps/manage.ts'
import type { Environment } from '../../kernel/environment.ts'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import { appendAdminAudit } from '../../platform/admin/admin.ts'
import { readRecords, type StagedRecord } from '../../platform/admin/imports/records.ts'
import { sources } from '../../platform/admin/imports/sources/parse.ts'
import {
  createImport,
  describeImport,
  parseReportCursor,
  putPart,
  readReportBatches,
  requireImport,
  stageUpload,
  startImport,
} from '../../platform/admin/imports/store.ts'
import { runChunk, takeLease } from '../../platform/admin/imports/worker.ts'
import { type CommandResult, explainError, runProgram, runWithDatabase, type ToolContext } from './command.ts'
import { confirmAtTerminal } from './confirm.ts'
import { formatHelp, parseCommand, UsageError } from './spec.ts'
import { importSpec } from './specs/import.ts'
import { resolveUserPath } from './whole-database/operation.ts'

/** Chunks between two lines of progress. */
const chunksPerLine = 20

const isRefusal = (error: unknown) => error instanceof AppRefusal || error instanceof AdminError

export const run = (args: string[]): Promise<void> =>
  runProgram((environment, print) => runImport(args, environment, print))

export async function runImport(
  args: string[],
  environment: Environment,
  print: ToolContext['print'],
): Promise<CommandResult> {
  const usage = formatHelp('latchkey import', importSpec)
  try {
    const input = parseInput(args, environment)
    return await runWithDatabase(
      environment,
      { print, confirm: confirmAtTerminal, usage, isRefusal },
      (context) => importFile(input, context),
    )
  } catch (error) {
    return { ok: false, why: explainError(error, isRefusal, usage) }
  }
}

function parseInput(args: string[], environment: Environment) {
  const { values, positionals } = parseCommand(importSpec, args)
  const [file, ...more] = positionals
  const { from: source, app: appId, report } = values
  if (file === undefined || more.length > 0 || appId === undefined || source === undefined)
    throw new UsageError()
  if (!v.is(v.picklist(importSources), source)) throw new UsageError(`There is no source ${source}.`)
  return {
    source,
    appId,
    path: resolveUserPath(file, environment),
    reportPath: report === undefined ? undefined : resolveUserPath(report, environment),
    isDryRun: values['dry-run'] === true,
    isJson: values.json === true,
  }
}

async function importFile(
  { source, appId, path, reportPath, isDryRun, isJson }: ReturnType<typeof parseInput>,
  { database, clock, print }: ToolContext,
): Promise<void> {
  const { db, transaction } = database
  await requireApp(db, appId)
  const upload = await stageUpload(db, clock, readFileRecords(path, source))
  const lease = await transaction(async (trx) => {
    const created = await createImport(trx, clock, { appId, source, isDryRun })
    await putPart(trx, clock, created.id, 1, upload)
    await startImport(trx, clock, created.id)
    await appendAdminAudit(trx, clock, {
      chain: appId,
      actor: 'command',
      operation: 'startImport',
      target: created.id,
      status: 200,
      result: 'ok',
      request_id: '',
    })
    // In the same transaction, so that no running server takes it.
    const started = await takeLease(trx, clock, created.id)
    if (started === undefined) throw new Error(`The new import ${created.id} has a lease`)
    return started
  })
  const id = lease.importId
  const context = { db, transaction, clock }
  for (let chunks = 1; (await runChunk(context, lease)) === 'continued'; chunks += 1) {
    if (chunks % chunksPerLine !== 0 || isJson) continue
    const { done, records } = await requireImport(db, id)
    print(`${done.toLocaleString('en')} of ${records.toLocaleString('en')} records`)
  }
  if (reportPath !== undefined) await writeReport(context, id, reportPath)
  const row = await requireImport(db, id)
  if (isJson) return print(JSON.stringify(toWire(adminImportRoutes.getImport.output, describeImport(row))))
  const { created, merged, conflicts, skipped } = row
  const verb = isDryRun ? 'Would create' : 'Created'
  print(`${verb} ${created} users, merged ${merged}, left ${conflicts} conflicts, skipped ${skipped}.`)
  if (conflicts + skipped > 0 && reportPath === undefined) print('Add --report <path> to see why.')
}

async function* readFileRecords(path: string, source: ImportSource): AsyncGenerator<StagedRecord> {
  const name = path.replace(/\.gz$/, '')
  if (name.endsWith('.json')) {
    yield* await readDocument(path)
    return
  }
  const file = createReadStream(path)
  const chunks = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  file.once('error', (error) => chunks.destroy(error))
  const mediaType = name.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson'
  yield* readRecords({ mediaType, chunks }, sources[source].csvColumns)
}

const users = v.array(v.unknown())
const document = v.union([
  users,
  v.pipe(
    v.object({ users }),
    v.transform((value) => value.users),
  ),
  v.pipe(
    v.object({ data: users }),
    v.transform((value) => value.data),
  ),
])

/** Reads a whole document, such as the file of `firebase auth:export`. Lines count its users. */
async function readDocument(path: string): Promise<StagedRecord[]> {
  const bytes = await readFile(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), document), text)
  if (!parsed.success) throw new AppRefusal(`${path} has no array of users, also not as users or data.`)
  return parsed.output.map((value, index) => ({ line: index + 1, value }))
}

async function writeReport(
  { db }: Pick<ToolContext['database'], 'db'>,
  id: string,
  path: string,
): Promise<void> {
  async function* lines() {
    for await (const rows of readReportBatches(db, id, parseReportCursor(undefined))) {
      yield rows
        .map((row) => `${JSON.stringify(toWire(adminImportRoutes.readImportReport.output, row))}\n`)
        .join('')
    }
  }
  await pipeline(lines, createWriteStream(path))
}
