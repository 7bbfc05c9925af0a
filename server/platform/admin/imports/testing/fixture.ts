/** The Admin API of a test server, and workers that import. */
import { gzipSync } from 'node:zlib'
import type { AdminImportRow, ImportSource } from '@latchkey/protocol/admin'
import { testBrowser } from '../../../../identity/sessions/testing/browser.ts'
import type { ServerContext } from '../../../../kernel/context.ts'
import type { Database } from '../../../../kernel/db/database.ts'
import { type AdminRequest, adminFixture } from '../../testing/fixture.ts'
import { createImportWorker } from '../worker.ts'

type Upload = AdminRequest & { part?: number; type?: string; isGzip?: boolean }
type Options = { isDryRun?: boolean; app?: string; type?: string }
export type ReportRow = Pick<AdminImportRow, 'part' | 'line' | 'result' | 'why' | 'id'> & {
  left_out: string[]
}

export const toNdjson = (records: unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

export async function importFixture(database: Database) {
  const base = await adminFixture(database)
  const { context, app, call } = base

  const create = (source: ImportSource, { isDryRun = false, app: appId = app.id }: Options = {}) =>
    call('POST', '/imports', { body: { app: appId, source, dry_run: isDryRun } })

  const upload = (id: string, content: string, { part = 1, type, isGzip, ...request }: Upload = {}) =>
    call('PUT', `/imports/${id}/parts/${part}`, {
      body: isGzip ? new Blob([gzipSync(content)]) : content,
      ...request,
      headers: {
        'content-type': type ?? 'application/x-ndjson',
        ...(isGzip && { 'content-encoding': 'gzip' }),
        ...request.headers,
      },
    })

  const start = (id: string) => call('POST', `/imports/${id}/start`)
  const read = async (id: string) => (await call('GET', `/imports/${id}`)).body
  const readReport = async (id: string): Promise<ReportRow[]> => {
    const { body } = await call('GET', `/imports/${id}/report`)
    return body.map(({ cursor: _, ...row }: { cursor: string }) => row)
  }
  const poll = (at: ServerContext = context) => createImportWorker(at).poll()

  /** Imports a file to its end. Returns the import and its report. */
  async function run(source: ImportSource, content: string, options: Options = {}) {
    const { id } = (await create(source, options)).body
    const uploaded = await upload(id, content, { ...(options.type !== undefined && { type: options.type }) })
    if (uploaded.status !== 200) throw new Error(uploaded.text)
    const started = await start(id)
    if (started.status !== 202) throw new Error(started.text)
    await poll()
    return { id, summary: await read(id), report: await readReport(id) }
  }

  /** Logs in with another browser. Returns the id of the user. */
  const login = async (address: string): Promise<string> =>
    (await testBrowser(base.publicServer, context, app).login(address)).user.id
  const getUser = async (id: string | null) => (await call('GET', `/apps/${app.id}/users/${id}`)).body

  return { ...base, create, upload, start, read, readReport, poll, run, login, getUser }
}
export type ImportFixture = Awaited<ReturnType<typeof importFixture>>
