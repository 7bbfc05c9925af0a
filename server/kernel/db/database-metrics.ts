/** Database metrics and traces, by OpenTelemetry conventions: statements, transaction retries and pool usage. */
import { product } from '@latchkey/protocol'
import type { LogEvent } from 'kysely'
import { counter, databaseBuckets, histogram, isCounting, observedSum } from '../telemetry/instruments.ts'
import { endSpan, isTracing, startSpan } from '../telemetry/spans.ts'

const duration = histogram({
  name: 'db.client.operation.duration',
  unit: 's',
  description: 'Duration of statements. On SQLite a write includes its wait for the disk',
  attributes: ['db.system.name', 'db.operation.name', 'error.type'],
  buckets: databaseBuckets,
})

const systems = { sqlite: 'sqlite', postgres: 'postgresql' } as const

const operations: Readonly<Record<string, string>> = {
  SelectQueryNode: 'SELECT',
  InsertQueryNode: 'INSERT',
  UpdateQueryNode: 'UPDATE',
  DeleteQueryNode: 'DELETE',
}
/** Returns the operation of raw SQL: begin, commit and rollback, or OTHER. */
const rawOperation = (text: string) =>
  /^\s*(begin|commit|rollback)\b/i.exec(text)?.[1]?.toUpperCase() ?? 'OTHER'

/** Options for Kysely that record each statement, if metrics or traces are enabled. */
export const queryMetrics = (engine: keyof typeof systems) =>
  isCounting() || isTracing() ? { log: (event: LogEvent) => measure(systems[engine], event) } : {}

function measure(system: string, event: LogEvent): void {
  const { query, queryDurationMillis: ms } = event
  const operation = operations[query.query.kind] ?? rawOperation(query.sql)
  const errorType = event.level === 'error' ? getErrorType(event.error) : undefined
  const attributes = { 'db.system.name': system, 'db.operation.name': operation }
  duration.record(ms / 1_000, { ...attributes, 'error.type': errorType })
  if (!isTracing()) return
  const span = startSpan(operation, { kind: 'client', attributes, startedAtMs: Date.now() - ms })
  endSpan(span, {}, errorType)
}

/** Returns SQLSTATE, the SQLite code, or our own code. */
function getErrorType(error: unknown): string {
  if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
    return `SQLITE_${error.errcode & 0xff}`
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^[A-Z0-9_]{2,40}$/.test(code) ? code : '_OTHER'
}

const retries = counter({
  name: `${product.key}.transaction.retries`,
  unit: '{retry}',
  description: 'Transaction retries, by the reason of the rollback',
  attributes: ['reason'],
})

const reasons: Readonly<Record<string, string>> = {
  '40001': 'not_serializable',
  '40P01': 'deadlock',
  '55P03': 'lock_timeout',
  '0A000': 'stale_statement',
  '26000': 'stale_statement',
  SQLITE_5: 'busy',
  SQLITE_6: 'busy',
}

/** Counts a transaction retry. */
export const countRetry = (error: unknown): void =>
  retries.add({ reason: reasons[getErrorType(error)] ?? 'other' })

const connections = observedSum({
  name: 'db.client.connection.count',
  unit: '{connection}',
  description: 'Connections of this process to PostgreSQL, by state',
  attributes: ['db.client.connection.pool.name', 'db.client.connection.state'],
})
const maxConnections = observedSum({
  name: 'db.client.connection.max',
  unit: '{connection}',
  description: 'Maximum number of connections of this process to PostgreSQL',
  attributes: ['db.client.connection.pool.name'],
})
const pending = observedSum({
  name: 'db.client.connection.pending_requests',
  unit: '{request}',
  description: 'Calls that wait for a connection to PostgreSQL',
  attributes: ['db.client.connection.pool.name'],
})

type Pool = { totalCount: number; idleCount: number; waitingCount: number }

/** Observes the pool. Returns a function that stops it. */
export function watchPool(pool: Pool, size: number): () => void {
  const poolLabel = { 'db.client.connection.pool.name': 'calls' } as const
  const counted = (state: 'idle' | 'used', value: number) => ({
    value,
    values: { ...poolLabel, 'db.client.connection.state': state },
  })
  const stops = [
    connections.observe(() => [
      counted('idle', pool.idleCount),
      counted('used', pool.totalCount - pool.idleCount),
    ]),
    maxConnections.observe(() => [{ value: size, values: poolLabel }]),
    pending.observe(() => [{ value: pool.waitingCount, values: poolLabel }]),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
