/** Kysely on PostgreSQL. What speaks to it is loaded with the first connection: a process on SQLite never does. */
import { type Dialect, PostgresDialect } from 'kysely'
import type { PostgresOptions } from './postgres-pool.ts'

export const postgresDialect = (options: PostgresOptions): Dialect =>
  new PostgresDialect({ pool: async () => (await import('./postgres-pool.ts')).openPool(options) })
