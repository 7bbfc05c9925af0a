import type { Kysely } from 'kysely'

/**
 * One change of the tables. Releases run beside each other during an upgrade and after a rollback, so a change is made
 * in three: a release **expands** (a table, a column that is empty or has a default, an index), it **migrates** what it
 * reads and writes, and a later one **contracts** (drops what no release in use touches). A migration expands unless it
 * says otherwise; `migrations.test.ts` reads the statements of each and refuses what does not belong there.
 *
 * On PostgreSQL every statement is a transaction of its own, and what was cut off begins again at the first: a
 * statement that is not of the schema has to be one that may run twice. Statements of the schema become so by
 * themselves (`statements.ts`).
 */
export type Migration = {
  up: (db: Tables) => Promise<void>
  /** It drops something: the oldest release that works without it. Older servers refuse to start afterwards. */
  contracts?: string
}

/** `sql` takes it too. */
type Tables = Pick<Kysely<unknown>, 'schema' | 'getExecutor'>

export type Migrations = Readonly<Record<string, Migration>>
