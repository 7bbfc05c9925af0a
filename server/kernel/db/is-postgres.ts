import { PostgresAdapter, type QueryExecutor } from 'kysely'

export type ExecutorProvider = { getExecutor: () => Pick<QueryExecutor, 'adapter'> }

/** Returns whether statements run on PostgreSQL, for features that SQLite lacks. */
export const isPostgres = (db: ExecutorProvider): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter
