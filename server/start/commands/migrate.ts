/** `latchkey migrate`: runs the missing migrations of a database. */
import { collectMigrations } from '../../kernel/capability.ts'
import { ConfigError, parseStorageConfig } from '../../kernel/config.ts'
import { openDatabase } from '../../kernel/db/database.ts'
import { capabilities } from '../capabilities.ts'
import { parseOptions } from './spec.ts'
import { migrateSpec } from './specs/server.ts'
import { type Operation, runOperationProgram } from './whole-database/operation.ts'

const migrateTool: Operation = {
  name: 'migrate',
  spec: migrateSpec,
  async run(args, { environment, print, progress }) {
    const { check = false, json = false } = parseOptions(migrateSpec, args)
    const { databaseUrl, isPooled } = parseStorageConfig(environment)
    const database = openDatabase(databaseUrl, { migrations: collectMigrations(capabilities), isPooled })
    try {
      const { missing } = await database.tableState()
      if (json && check) print(JSON.stringify({ missing }))
      if (check && missing.length > 0) {
        const names = missing.map((name) => `  ${name}`).join('\n')
        throw new ConfigError(`${missing.length} migrations are missing:\n${names}`)
      }
      if (missing.length > 0) await database.migrate(progress)
      if (json) {
        if (!check) print(JSON.stringify({ done: missing }))
        return
      }
      print(
        missing.length > 0 && !check ? `Done: ${missing.length} migrations.` : 'The tables are up to date.',
      )
    } finally {
      await database.close()
    }
  },
}

export const run = (args: string[]): Promise<void> => runOperationProgram(migrateTool, args)
