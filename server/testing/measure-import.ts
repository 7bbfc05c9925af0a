/**
 * Imports users, and measures how many records a second one process imports. Run by
 * `npm run bench -- import --users 100000`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectMigrations } from '../kernel/capability.ts'
import { openDatabase } from '../kernel/db/database.ts'
import { readRecords } from '../platform/admin/imports/records.ts'
import {
  createImport,
  putPart,
  requireImport,
  stageUpload,
  startImport,
} from '../platform/admin/imports/store.ts'
import { createImportWorker } from '../platform/admin/imports/worker.ts'
import { capabilities } from '../start/capabilities.ts'
import { testApp, testContext } from './context.ts'

/** Records a second on PostgreSQL. */
const aim = 2_000

const {
  values: { users: usersText, url = '' },
} = parseArgs({ options: { users: { type: 'string', default: '100000' }, url: { type: 'string' } } })
const users = Number(usersText)
const folder = url === '' ? mkdtempSync(join(tmpdir(), 'latchkey-import-')) : undefined
const database = openDatabase(url || join(folder ?? '', 'import.sqlite'), {
  migrations: collectMigrations(capabilities),
})
try {
  await database.migrate()
  await measure()
} finally {
  await database.close()
  if (folder !== undefined) rmSync(folder, { recursive: true })
}

/** Users with an e-mail address, a provider account and metadata, as in an export of Auth0. */
async function* generateRecords() {
  const linesPerChunk = 1_000
  for (let first = 0; first < users; first += linesPerChunk) {
    const lines = Array.from({ length: Math.min(linesPerChunk, users - first) }, (_, index) => {
      const id = String(first + index)
      return JSON.stringify({
        user_id: `google-oauth2|${id}`,
        email: `user${id}@full.example`,
        email_verified: true,
        created_at: '2024-05-06T07:08:09.000Z',
        identities: [{ provider: 'google-oauth2', user_id: id, connection: 'google-oauth2', isSocial: true }],
        app_metadata: { plan: 'pro', number: first + index },
      })
    })
    yield Buffer.from(`${lines.join('\n')}\n`)
  }
}

async function measure(): Promise<void> {
  const context = await testContext(database)
  const { id: appId } = await testApp(context)
  const { clock, db } = context
  console.log(`Import of ${users.toLocaleString('en')} users on ${database.engine}`)
  for (const name of ['dry run', 'import', 'import of the same file']) {
    const uploadedAt = performance.now()
    const file = { mediaType: 'application/x-ndjson', chunks: generateRecords() }
    const upload = await stageUpload(db, clock, readRecords(file))
    if (name === 'dry run') print('upload', uploadedAt)
    const { id } = await context.transaction(async (trx) => {
      const created = await createImport(trx, clock, { appId, source: 'auth0', isDryRun: name === 'dry run' })
      await putPart(trx, clock, created.id, 1, upload)
      return startImport(trx, clock, created.id)
    })
    const startedAt = performance.now()
    await createImportWorker(context).poll()
    const { done, state } = await requireImport(db, id)
    if (state !== 'finished' || done !== users)
      throw new Error(`The import is ${state} after ${done} records`)
    print(name, startedAt)
  }
}

function print(name: string, startedAt: number): void {
  const perSecond = users / ((performance.now() - startedAt) / 1_000)
  const note = database.engine === 'postgres' && perSecond < aim ? `   below ${aim}` : ''
  console.log(
    `  ${name.padEnd(28)} ${Math.round(perSecond).toLocaleString('en').padStart(8)} records/s${note}`,
  )
}
