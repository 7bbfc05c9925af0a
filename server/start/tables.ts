/** Ensures that the tables fit this release before a server or a command starts. */
import { ConfigError, type StorageConfig } from '../kernel/config.ts'
import type { Database } from '../kernel/db/database.ts'
import type { ReportProgress } from '../kernel/db/migrate/run.ts'
import { isOlder, release } from '../kernel/release.ts'

type Tables = Pick<Database, 'engine' | 'migrate' | 'tableState'>

/**
 * Migrates SQLite immediately, because no other server uses it. PostgreSQL is only migrated by `latchkey migrate`, or at
 * start if the operator enabled it.
 */
export async function ensureTables(
  database: Tables,
  { migratesAtStart }: Pick<StorageConfig, 'migratesAtStart'>,
  say: ReportProgress,
): Promise<void> {
  const { missing, oldestReleases } = await database.tableState()
  const oldest = oldestReleases.find((each) => isOlder(release, each))
  if (oldest !== undefined) {
    throw new ConfigError(
      `The database requires release ${oldest} or later, and this is ${release}: a later release removed what this one needs.`,
    )
  }
  if (database.engine === 'sqlite' || migratesAtStart) return database.migrate(say)
  if (missing.length === 0) return
  throw new ConfigError(
    `The database lacks ${missing.length} migrations of this release, the first of them ${missing[0]}.\n` +
      'Run "latchkey migrate" first, or set MIGRATE_AT_START=true.',
  )
}
