/**
 * Connections to PostgreSQL with `pg`: int8 and counts become numbers, and each connection prepares a statement once.
 *
 * A connection may end at any moment: database restart, failover, administrator. The running query then fails with
 * `connectionLost`, the pool drops the connection, and the next call opens a new one.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { product } from '@latchkey/protocol'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { databaseLimits } from '../limits.ts'
import { countRetry, watchPool } from './database-metrics.ts'
import { connectionLost, endsConnection, isRetryable, isStalePlan } from './failures.ts'

export type PostgresOptions = {
  url: string
  connections: number
  /**
   * Whether a pooler in transaction mode is used. Then nothing may outlive a transaction, neither session settings nor
   * prepared statements.
   */
  isPooled: boolean
  /** Unset for migrations, because indexing a large table may take longer than a call. */
  statementDeadlineMs: number | 'none'
  onLost: (error: Error) => void
}

export function openPool(options: PostgresOptions): PostgresPool {
  const { isPooled, statementDeadlineMs } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    // Shown in pg_stat_activity, so that operators can identify our connections.
    application_name: product.key,
    max: options.connections,
    connectionTimeoutMillis: databaseLimits.postgresConnectMs,
    // Detects unreachable machines. The deadlines below usually detect them earlier.
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
  // An `error` event without a listener ends the process. The pool listens only while a connection is idle.
  pool.on('connect', (client) => client.on('error', options.onLost))
  pool.on('error', () => {})
  const stopWatching =
    options.statementDeadlineMs === 'none' ? () => {} : watchPool(pool, options.connections)
  return {
    connect: async () => getWrapper(await pool.connect().catch(throwLost), options),
    end: () => {
      stopWatching()
      return pool.end()
    },
  }
}

/** Treats every error that is no database response as a lost connection. */
function throwLost(error: unknown): never {
  const isAnswer = error instanceof pg.DatabaseError
  throw isAnswer || error instanceof TypeError ? error : connectionLost(error)
}

/** All int8 columns are times or counts far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format)

/** Kysely identifies connections by object identity, so each client keeps one wrapper. */
const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>()

function getWrapper(client: pg.PoolClient, options: PostgresOptions): PostgresPoolClient {
  const cachedWrapper = wrappers.get(client)
  if (cachedWrapper) return cachedWrapper
  const wrapper = createWrapper(client, options)
  wrappers.set(client, wrapper)
  return wrapper
}

function createWrapper(
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
    const statement = values.length > 0 && isPrepared ? { name: getStatementName(text), text } : { text }
    try {
      const result = await client.query({ ...statement, values: [...values] })
      return result as unknown as PostgresQueryResult<R>
    } catch (error) {
      isBroken ||= !(error instanceof pg.DatabaseError) || endsConnection(error) || isStalePlan(error)
      return throwLost(error)
    }
  }

  /** Runs a statement outside of a transaction. A failed one was rolled back completely, so it may be retried. */
  async function runAlone<R>(text: string, values: readonly unknown[]) {
    const deadlineAt = performance.now() + databaseLimits.transactionDeadlineMs
    let isPrepared = !isPooled
    for (let delayMs: number = databaseLimits.retryFirstDelayMs; ; ) {
      try {
        return await run<R>(text, values, isPrepared)
      } catch (error) {
        if (!isRetryable(error) || performance.now() + delayMs > deadlineAt) throw error
        countRetry(error)
        isPrepared &&= !isStalePlan(error)
      }
      await sleep(delayMs * (0.5 + Math.random()))
      delayMs = Math.min(delayMs * 2, databaseLimits.retryLongestDelayMs)
    }
  }

  async function perform<R>(text: string, values: readonly unknown[]) {
    if (text === 'begin' || text.startsWith('start transaction')) {
      const result = await run<R>(text === 'begin' ? begin : text, values, false)
      isInTransaction = true
      return result
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

function getStatementName(text: string): string {
  const cachedName = names.get(text)
  if (cachedName) return cachedName
  const name = createHash('sha256').update(text).digest('base64url')
  if (names.size < databaseLimits.cachedStatements) names.set(text, name)
  return name
}
