// npm run test:serializable [-- paths]: runs the store tests on a PostgreSQL with serializable transactions,
// behind a proxy that fails one statement in thirty at random, also at a commit.

import pg from 'pg'
import { startPostgres } from '../../scripts/local/postgres.ts'
import { run } from '../../scripts/processes/run.ts'
import { say } from '../../scripts/setup.mjs'
import { startUndoingProxy } from './undoing-proxy.ts'

const paths = process.argv.slice(2)
const postgres = await startPostgres({ waitsForDisk: false })
let ok = false
try {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query("alter role current_user set default_transaction_isolation = 'serializable'")
  await client.end()
  const proxy = await startUndoingProxy(postgres.url, { application: 'latchkey', oneOf: 30 })
  const tests = await run(
    'vitest',
    [
      'run',
      '--project',
      'others',
      '--project',
      'by itself',
      '-t',
      'on postgres',
      ...(paths.length > 0 ? paths : ['server']),
    ],
    { show: true, env: { TEST_POSTGRES_URL: proxy.url, TEST_ENGINES: 'all', TEST_UNDOES_AT_RANDOM: 'yes' } },
  )
  ok = tests.ok
  const { statements, commits } = proxy.undone()
  say(`Undone at random: ${statements} statements and ${commits} commits.`)
  await proxy.close()
} finally {
  await postgres.stop()
}
process.exit(ok ? 0 : 1)
