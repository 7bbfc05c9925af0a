/** Whether a server or an operator's command can work on the tables as they are. */
import { ConfigError, type StorageConfig } from '../kernel/config.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Say } from '../kernel/db/migrate/run.ts'
import { isOlder, release } from '../kernel/release.ts'

type Tables = Pick<Database, 'engine' | 'migrate' | 'tableState'>

/**
 * An embedded database is brought up to date at once, because nobody else uses it. One that many share is so only by
 * `npm run migrate`, or where the operator said that any server may.
 */
export async function readyTables(
  database: Tables,
  { migratesAtStart }: Pick<StorageConfig, 'migratesAtStart'>,
  say: Say,
): Promise<void> {
  const { missing, oldestReleases } = await database.tableState()
  const oldest = oldestReleases.find((each) => isOlder(release, each))
  if (oldest !== undefined) {
    throw new ConfigError(
      `The database works with release ${oldest} and newer ones, and this is ${release}: a later release removed what this one needs.`,
    )
  }
  if (database.engine === 'sqlite' || migratesAtStart) return database.migrate(say)
  if (missing.length === 0) return
  throw new ConfigError(
    `The database lacks ${missing.length} migrations of this release, the first of them ${missing[0]}.\n` +
      'Run "npm run migrate" first, or set MIGRATE_AT_START=true.',
  )
}
