/**
 * Kysely on `node:sqlite`, which the stock dialect can not drive.
 *
 * One connection writes, one reads beside it: in WAL mode a reader sees the last commit and waits for nobody.
 * Outside of transactions a SELECT goes to the reader and everything else to the writer. Transactions hold the
 * writer from `BEGIN IMMEDIATE` to the end, so what they read cannot change before they write.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { databaseLimits } from '../limits.ts'
import { databaseBusy, isBusy } from './failures.ts'

type Statement = { readonly statement: StatementSync; readonly returnsRows: boolean }
type Connection = {
  readonly database: DatabaseSync
  readonly run: <Row>(sql: string, parameters: readonly unknown[]) => QueryResult<Row>
}
/** An ended transaction takes no more statements: one that comes late must not run on its own. */
type Session = DatabaseConnection & { transaction: 'none' | 'open' | 'ended' }

export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => adapter,
    createDriver: () => createDriver(path),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** BEGIN IMMEDIATE is the migration lock: two processes that start at once migrate one after the other. */
const adapter: DialectAdapter = {
  supportsCreateIfNotExists: true,
  supportsTransactionalDdl: true,
  supportsReturning: true,
  acquireMigrationLock: async () => {},
  releaseMigrationLock: async () => {},
}

function createDriver(path: string): Driver {
  let writer: Connection | undefined
  let reader: Connection | undefined
  const turns = createTurns()
  const sessions = new WeakMap<DatabaseConnection, Session>()

  const opened = (connection: Connection | undefined) => {
    if (!connection) throw new Error('The database is closed')
    return connection
  }

  /** Another process may be writing: its transactions are short, so this asks again until the deadline. */
  async function whenNotBusy<Result>(run: () => Result): Promise<Result> {
    const giveUpAt = performance.now() + databaseLimits.transactionDeadlineMs
    for (;;) {
      try {
        return run()
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error
        await sleep(databaseLimits.retryFirstDelayMs)
      }
    }
  }

  async function execute<Row>(session: Session, query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query
    if (session.transaction === 'ended') throw new Error('The transaction has ended')
    if (session.transaction === 'open') return opened(writer).run(sql, parameters)
    if (query.query.kind === 'SelectQueryNode') return opened(reader).run(sql, parameters)
    const endTurn = await turns.begin()
    try {
      return await whenNotBusy(() => opened(writer).run<Row>(sql, parameters))
    } finally {
      endTurn()
    }
  }

  let release: (() => void) | undefined
  function finish(connection: DatabaseConnection, command: 'COMMIT' | 'ROLLBACK') {
    const session = sessions.get(connection)
    if (session?.transaction !== 'open') throw databaseBusy()
    const { database } = opened(writer)
    // SQLite itself has rolled back after some failures, a full disk for one.
    if (command === 'COMMIT' || database.isTransaction) database.exec(command)
    session.transaction = 'ended'
    release?.()
  }

  return {
    async init() {
      const database = new DatabaseSync(path, { timeout: databaseLimits.sqliteBusyTimeoutMs })
      await whenNotBusy(() => database.exec('PRAGMA journal_mode = WAL'))
      database.exec('PRAGMA synchronous = FULL')
      writer = connectionOf(database)
      reader = connectionOf(
        new DatabaseSync(path, { timeout: databaseLimits.sqliteBusyTimeoutMs, readOnly: true }),
      )
    },
    async acquireConnection() {
      const session: Session = {
        transaction: 'none',
        executeQuery: (query) => execute(session, query),
        streamQuery: () => {
          throw new Error('Rows are not streamed: read in batches')
        },
      }
      sessions.set(session, session)
      return session
    },
    async beginTransaction(connection) {
      const session = sessions.get(connection)
      if (!session) throw new Error('Not a connection of this database')
      const endTurn = await turns.begin()
      try {
        await whenNotBusy(() => opened(writer).database.exec('BEGIN IMMEDIATE'))
      } catch (error) {
        endTurn()
        throw error
      }
      session.transaction = 'open'
      // Whoever waits for something that is no SQL of its own would hold the database for everybody.
      const deadline = setTimeout(() => finish(session, 'ROLLBACK'), databaseLimits.transactionDeadlineMs)
      release = () => {
        clearTimeout(deadline)
        endTurn()
      }
    },
    async commitTransaction(connection) {
      finish(connection, 'COMMIT')
    },
    async rollbackTransaction(connection) {
      if (sessions.get(connection)?.transaction === 'open') finish(connection, 'ROLLBACK')
    },
    async releaseConnection() {},
    async destroy() {
      const endTurn = await turns.begin()
      reader?.database.close()
      writer?.database.close()
      reader = undefined
      writer = undefined
      endTurn()
    },
  }
}

function connectionOf(database: DatabaseSync): Connection {
  const statements = new Map<string, Statement>()
  const statementOf = (sql: string): Statement => {
    const cached = statements.get(sql)
    if (cached) return cached
    const statement = database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    if (statements.size >= databaseLimits.cachedStatements) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    statements.set(sql, prepared)
    return prepared
  }
  return {
    database,
    run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
      const { statement, returnsRows } = statementOf(sql)
      const values = parameters as readonly SQLInputValue[]
      if (!returnsRows) {
        const { changes } = statement.run(...values)
        return { rows: [], numAffectedRows: BigInt(changes) }
      }
      return { rows: statement.all(...values) as Row[] }
    },
  }
}

/** One writer at a time, in the order of asking; who waits too long gives up. */
function createTurns() {
  let held = false
  const waiting = new Set<() => void>()
  const end = () => {
    const [next] = waiting
    if (next) next()
    else held = false
  }
  return {
    begin(): Promise<() => void> | (() => void) {
      if (!held) {
        held = true
        return end
      }
      return new Promise((resolve, reject) => {
        const start = () => {
          waiting.delete(start)
          clearTimeout(timer)
          resolve(end)
        }
        const timer = setTimeout(() => {
          waiting.delete(start)
          reject(databaseBusy())
        }, databaseLimits.transactionDeadlineMs)
        waiting.add(start)
      })
    },
  }
}
