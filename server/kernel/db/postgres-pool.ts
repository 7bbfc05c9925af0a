/**
 * Connections to PostgreSQL by `pg`: int8 and counts as numbers, each statement prepared once a connection.
 *
 * A connection may end at any moment: a restart of the database, a failover, an administrator. Whoever was using it is
 * told `connectionLost`, it goes out of the pool, and the next call opens another one.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { product } from '@latchkey/protocol'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { databaseLimits } from '../limits.ts'
import { connectionLost, endsConnection, isStalePlan, mayRunAgain } from './failures.ts'
import { countRetry, watchPool } from './measured.ts'

export type PostgresOptions = {
  url: string
  connections: number
  /**
   * A pooler in transaction mode stands before it: nothing may last longer than a transaction, neither what a connection
   * is told at its start nor a statement that it has prepared.
   */
  isPooled: boolean
  /** None for migrations: to index a large table takes longer than any call may. */
  statementDeadlineMs: number | 'none'
  onLost: (error: Error) => void
}

export function openPool(options: PostgresOptions): PostgresPool {
  const { isPooled, statementDeadlineMs } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    // Operators find our connections by it, in what their database lists.
    application_name: product.key,
    max: options.connections,
    connectionTimeoutMillis: databaseLimits.postgresConnectMs,
    // A machine that is gone says nothing: the system notices, and the deadlines below do so earlier.
    keepAlive: true,
    ...(statementDeadlineMs !== 'none' && {
      query_timeout: statementDeadlineMs + databaseLimits.postgresSilenceMs,
      ...(!isPooled && {
        statement_timeout: statementDeadlineMs,
        idle_in_transaction_session_timeout: statementDeadlineMs,
      }),
    }),
    types: { getTypeParser },
  })
  // An `error` event without a listener ends the process. The pool listens to a connection only while it is idle.
  pool.on('connect', (client) => client.on('error', options.onLost))
  pool.on('error', () => {})
  const stopWatching =
    options.statementDeadlineMs === 'none' ? () => {} : watchPool(pool, options.connections)
  return {
    connect: async () => wrapped(await pool.connect().catch(asLost), options),
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

function wrapped(client: pg.PoolClient, options: PostgresOptions): PostgresPoolClient {
  const known = wrappers.get(client)
  if (known) return known
  const made = wrapperOf(client, options)
  wrappers.set(client, made)
  return made
}

function wrapperOf(
  client: pg.PoolClient,
  { isPooled, statementDeadlineMs }: PostgresOptions,
): PostgresPoolClient {
  let isBroken = false
  let isInTransaction = false
  const begin =
    isPooled && statementDeadlineMs !== 'none'
      ? `begin; set local statement_timeout = ${statementDeadlineMs}; set local idle_in_transaction_session_timeout = ${statementDeadlineMs}`
      : 'begin'

  async function run<R>(text: string, values: readonly unknown[], isPrepared: boolean) {
    const statement = values.length > 0 && isPrepared ? { name: nameOf(text), text } : { text }
    try {
      const result = await client.query({ ...statement, values: [...values] })
      return result as unknown as PostgresQueryResult<R>
    } catch (error) {
      isBroken ||= !(error instanceof pg.DatabaseError) || endsConnection(error) || isStalePlan(error)
      return asLost(error)
    }
  }

  /** A statement that is a transaction of its own was undone as a whole, and is tried again as transactions are. */
  async function runAlone<R>(text: string, values: readonly unknown[]) {
    const giveUpAt = performance.now() + databaseLimits.transactionDeadlineMs
    let isPrepared = !isPooled
    for (let delayMs: number = databaseLimits.retryFirstDelayMs; ; ) {
      try {
        return await run<R>(text, values, isPrepared)
      } catch (error) {
        if (!mayRunAgain(error) || performance.now() + delayMs > giveUpAt) throw error
        countRetry(error)
        isPrepared &&= !isStalePlan(error)
      }
      await sleep(delayMs * (0.5 + Math.random()))
      delayMs = Math.min(delayMs * 2, databaseLimits.retryLongestDelayMs)
    }
  }

  async function perform<R>(text: string, values: readonly unknown[]) {
    if (text === 'begin' || text.startsWith('start transaction')) {
      const begun = await run<R>(text === 'begin' ? begin : text, values, false)
      isInTransaction = true
      return begun
    }
    if (text === 'commit' || text === 'rollback') {
      isInTransaction = false
      return run<R>(text, values, false)
    }
    return isInTransaction ? run<R>(text, values, !isPooled) : runAlone<R>(text, values)
  }

  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('Rows are not streamed: read in batches')
    return perform(text, values)
  }
  return { query, release: () => client.release(isBroken) }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('base64url')
  if (names.size < databaseLimits.cachedStatements) names.set(text, name)
  return name
}
