/** A used database: with keys, and rows in every table. */
import { join } from 'node:path'
import { collectKeyColumns, collectMigrations } from '../../../kernel/capability.ts'
import { parseStorageConfig } from '../../../kernel/config.ts'
import { openStorage } from '../../../kernel/copy/storage.ts'
import { generateRows } from '../../../kernel/copy/testing/generated-rows.ts'
import { openDatabase } from '../../../kernel/db/database.ts'
import { openKeyring } from '../../../kernel/keys/keyring.ts'
import { openKms } from '../../../kernel/keys/keys.ts'
import { capabilities } from '../../capabilities.ts'
import { type Operation, runOperation } from '../whole-database/operation.ts'

const clock = { nowMs: Date.now }

/** The default environment of a server in these tests. */
export const environmentIn = (folder: string) => ({
  DATABASE_URL: join(folder, 'database', 'latchkey.sqlite'),
  MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
})
export type PlaceEnvironment = ReturnType<typeof environmentIn> & {
  RECOVERY_MASTER_KEY_FILE?: string
}

/** Fills a database with rows whose wrapped values use the keys of the environment. */
export async function useDatabase(environment: PlaceEnvironment, rowsOfTable: number): Promise<void> {
  const config = parseStorageConfig(environment)
  const database = openDatabase(config.databaseUrl, { migrations: collectMigrations(capabilities) })
  await database.migrate()
  const kms = await openKms({ database, clock, ...config })
  await openKeyring({ db: database.db, kms, clock })
  const secret = Buffer.from('a share')
  const wrapped = {
    master: await kms.wrap('auth-share', secret, Buffer.from('it')),
    recovery: await kms.wrap('recovery-share', secret, Buffer.from('it')),
  }
  await database.close()

  const columns = collectKeyColumns(capabilities).wrapped
  const storage = await openStorage(config.databaseUrl, 'write')
  await generateRows(storage, rowsOfTable, {
    except: ['instance', 'server_keys', 'running_servers'],
    change(table, values) {
      for (const { column } of columns.filter((one) => one.table === table.name)) {
        if (values[column] === null) continue
        values[column] = column === 'recovery_share' ? wrapped.recovery : wrapped.master
      }
      // Below 2^53, because a server reads these tables too.
      if (table.name === 'wallets') values.last_generation = 3n
    },
  })
  await storage.close()
}

/** Runs an operation and returns its output and success. */
export async function operate(
  operation: Operation,
  args: string[],
  environment: Readonly<Record<string, string | undefined>>,
) {
  const printed: string[] = []
  const ran = await runOperation(operation, args, environment, (line) => printed.push(line))
  return { ok: ran.ok, why: ran.ok ? '' : ran.why, printed: printed.join('\n') }
}
