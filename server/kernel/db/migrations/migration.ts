import type { Kysely } from 'kysely'

/**
 * A change of the tables. Two releases run side by side during a rolling upgrade and after a rollback. A change
 * therefore takes three steps: a release **expands** (a table, a nullable or defaulted column, an index), **migrates**
 * its reads and writes, and a later release **contracts** (drops unused parts). A migration expands unless `contracts`
 * is set; `migrations.test.ts` checks the statements of each.
 *
 * On PostgreSQL every statement is its own transaction, and an interrupted migration starts again from its first
 * statement. Data statements must therefore be idempotent. Schema statements become idempotent automatically
 * (`statements.ts`).
 */
export type Migration = {
  up: (db: Tables) => Promise<void>
  /** Set if it drops something: the oldest release that works without it. Older servers refuse to start afterwards. */
  contracts?: string
}

/** Kysely's `sql` tag accepts it as well. */
type Tables = Pick<Kysely<unknown>, 'schema' | 'getExecutor'>

export type Migrations = Readonly<Record<string, Migration>>
