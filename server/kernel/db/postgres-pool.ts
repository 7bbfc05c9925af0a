/**
 * Connections to PostgreSQL by `pg`: int8 and counts as numbers, each statement prepared once a connection.
 *
 * A connection may end at any moment: a restart of the database, a failover, an administrator. Whoever was using it is
 * told `connectionLost`, it goes out of the pool, and the next call opens another one.
 */
import { createHash } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { databaseLimits } from '../limits.ts'
import { connectionLost, endsConnection } from './failures.ts'
import { watchPool } from './measured.ts'

export type PostgresOptions = {
  readonly url: string
  readonly connections: number
  /** None for migrations: to index a large table takes longer than any call may. */
  readonly statementDeadlineMs: number | 'none'
  readonly onLost: (error: Error) => void
}

export function openPool(options: PostgresOptions): PostgresPool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: databaseLimits.postgresConnectMs,
    // A machine that is gone says nothing: the system notices, and the deadlines below do so earlier.
    keepAlive: true,
    ...(options.statementDeadlineMs !== 'none' && {
      statement_timeout: options.statementDeadlineMs,
      idle_in_transaction_session_timeout: options.statementDeadlineMs,
      query_timeout: options.statementDeadlineMs + databaseLimits.postgresSilenceMs,
    }),
    types: { getTypeParser },
  })
  // An `error` event without a listener ends the process. The pool listens to a connection only while it is idle.
  pool.on('connect', (client) => client.on('error', options.onLost))
  pool.on('error', () => {})
  const stopWatching =
    options.statementDeadlineMs === 'none' ? () => {} : watchPool(pool, options.connections)
  return {
    connect: async () => preparing(await pool.connect().catch(asLost)),
    end: () => {
      stopWatching()
      return pool.end()
    },
  }
}

/** Whatever is no answer of the database says that there is no connection to it. */
function asLost(error: unknown): never {
  const isAnswer = error instanceof pg.DatabaseError
  throw isAnswer || error instanceof TypeError ? error : connectionLost(error)
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
      broken ||= !(error instanceof pg.DatabaseError) || endsConnection(error) || isStalePlan(error)
      return asLost(error)
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
