/**
 * Kysely driver for `node:sqlite`, which the stock dialect does not support.
 *
 * One connection writes and one reads: in WAL mode a reader sees the last commit and never blocks. Outside of
 * transactions, SELECTs use the reader and all other statements the writer. A transaction holds the writer until its
 * end, so what it reads cannot change before it writes. A write returns after it is on disk (`write-groups.ts`).
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
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
import { databaseBusy } from './failures.ts'
import { createWriteGroups, type OpenTransaction, whenNotBusy } from './write-groups.ts'

type Statement = { statement: StatementSync; returnsRows: boolean }
type Connection = {
  database: DatabaseSync
  run: <Row>(sql: string, parameters: readonly unknown[]) => QueryResult<Row>
}
/** A connection of one caller. An ended transaction rejects late statements, which must not run on their own. */
type Session = DatabaseConnection & { transaction: 'none' | 'open' | 'ended' }

export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => adapter,
    createDriver: () => createDriver(path),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** BEGIN IMMEDIATE serves as the migration lock: processes that start at the same time migrate one after the other. */
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
  const sessions = new WeakMap<DatabaseConnection, Session>()

  const assertOpen = (connection: Connection | undefined) => {
    if (!connection) throw new Error('The database is closed')
    return connection
  }
  const groups = createWriteGroups(() => assertOpen(writer).database)

  async function execute<Row>(session: Session, query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query
    if (session.transaction === 'ended') throw new Error('The transaction has ended')
    if (session.transaction === 'open') {
      const { database, run } = assertOpen(writer)
      // SQLite itself rolls back the whole transaction after some errors, such as a full disk.
      if (!database.isTransaction) throw databaseBusy()
      return run(sql, parameters)
    }
    if (query.query.kind === 'SelectQueryNode') return assertOpen(reader).run(sql, parameters)
    return groups.write(() => assertOpen(writer).run<Row>(sql, parameters))
  }

  const getSession = (connection: DatabaseConnection) => {
    const session = sessions.get(connection)
    if (!session) throw new Error('Not a connection of this database')
    return session
  }
  const open = new WeakMap<Session, OpenTransaction>()

  /** Ends the transaction. Throws if its deadline has already ended it. */
  function end(session: Session): OpenTransaction {
    const transaction = open.get(session)
    if (session.transaction !== 'open' || !transaction) throw databaseBusy()
    session.transaction = 'ended'
    open.delete(session)
    return transaction
  }

  return {
    async init() {
      const database = new DatabaseSync(path, { timeout: databaseLimits.sqliteBusyTimeoutMs })
      await whenNotBusy(() => database.exec('PRAGMA journal_mode = WAL'))
      database.exec('PRAGMA synchronous = FULL')
      // Savepoint journals stay in memory instead of a file per transaction.
      database.exec('PRAGMA temp_store = MEMORY')
      writer = createConnection(database)
      reader = createConnection(
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
      const session = getSession(connection)
      open.set(session, await groups.begin(() => end(session)))
      session.transaction = 'open'
    },
    async commitTransaction(connection) {
      await end(getSession(connection)).commit()
    },
    async rollbackTransaction(connection) {
      const session = getSession(connection)
      if (session.transaction === 'open') end(session).rollback()
    },
    async releaseConnection() {},
    async destroy() {
      await groups.close()
      reader?.database.close()
      writer?.database.close()
      reader = undefined
      writer = undefined
    },
  }
}

function createConnection(database: DatabaseSync): Connection {
  const statements = new Map<string, Statement>()
  const getStatement = (sql: string): Statement => {
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
      const { statement, returnsRows } = getStatement(sql)
      const values = parameters as readonly SQLInputValue[]
      if (!returnsRows) {
        const { changes } = statement.run(...values)
        return { rows: [], numAffectedRows: BigInt(changes) }
      }
      return { rows: statement.all(...values) as Row[] }
    },
  }
}
