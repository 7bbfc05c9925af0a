/** Kysely on `pg`: int8 and counts as numbers, each statement prepared once a connection. */
import { createHash } from 'node:crypto'
import {
  type Dialect,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import pg from 'pg'
import { databaseLimits } from '../limits.ts'

export function postgresDialect(url: string, onIdleError: (error: Error) => void): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: databaseLimits.postgresConnections,
    connectionTimeoutMillis: databaseLimits.postgresConnectMs,
    statement_timeout: databaseLimits.transactionDeadlineMs,
    idle_in_transaction_session_timeout: databaseLimits.transactionDeadlineMs,
    types: { getTypeParser },
  })
  // Without a listener, a connection that the server closes while it is idle would end this process.
  pool.on('error', onIdleError)
  return new PostgresDialect({
    pool: {
      connect: async () => preparing(await pool.connect()),
      end: () => pool.end(),
    },
  })
}

/** Every int8 of ours is a time or a count, far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format)

/** Kysely tells connections apart by identity, so each client has one wrapper for ever. */
const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>()

function preparing(client: pg.PoolClient): PostgresPoolClient {
  const known = wrappers.get(client)
  if (known) return known
  let broken = false
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('Rows are not streamed: read in batches')
    const prepared = values.length > 0 ? { name: nameOf(text), text, values: [...values] } : { text }
    return client.query(prepared).catch((error: unknown) => {
      broken ||= isStalePlan(error)
      throw error
    })
  }
  const wrapper = { query, release: () => client.release(broken) }
  wrappers.set(client, wrapper)
  return wrapper
}

const isStalePlan = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '0A000' || error.code === '26000')

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('base64url')
  if (names.size < databaseLimits.cachedStatements) names.set(text, name)
  return name
}
