/** `npm run migrate`: runs the missing migrations of a database. */
import { collectMigrations } from '../../kernel/capability.ts'
import { ConfigError, parseStorageConfig } from '../../kernel/config.ts'
import { openDatabase } from '../../kernel/db/database.ts'
import { capabilities } from '../capabilities.ts'
import { type Operation, parseOptions, runOperationProgram } from './whole-database/operation.ts'

const usage = `Usage: npm run migrate [-- --check]

Brings the tables of DATABASE_URL up to date with this release. Servers of this release and of the last one may run
meanwhile. You can run it again at any time: it continues an interrupted run.

  --check    changes nothing, lists what is missing, and exits with 1 if something is`

const migrateTool: Operation = {
  usage,
  async run(args, { environment, print, progress }) {
    const { check = false } = parseOptions(args, { check: { type: 'boolean' } })
    const { databaseUrl, isPooled } = parseStorageConfig(environment)
    const database = openDatabase(databaseUrl, { migrations: collectMigrations(capabilities), isPooled })
    try {
      const { missing } = await database.tableState()
      if (check && missing.length > 0) {
        const names = missing.map((name) => `  ${name}`).join('\n')
        throw new ConfigError(`${missing.length} migrations are missing:\n${names}`)
      }
      if (missing.length > 0) await database.migrate(progress)
      print(
        missing.length > 0 && !check ? `Done: ${missing.length} migrations.` : 'The tables are up to date.',
      )
    } finally {
      await database.close()
    }
  },
}

await runOperationProgram(migrateTool)
