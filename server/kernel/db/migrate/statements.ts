/** Runs the statements of a migration one at a time, in an idempotent form. */
import {
  type AddColumnNode,
  type CompiledQuery,
  type CreateIndexNode,
  type CreateTableNode,
  type DatabaseConnection,
  type DropColumnNode,
  type DropIndexNode,
  type DropTableNode,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Migration } from '../migrations/migration.ts'

type Perform = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** Returns a Kysely instance for PostgreSQL that passes each statement to `perform`. */
export const createStatementKysely = (perform: Perform): Kysely<unknown> =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PerformingDriver(perform),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new RepeatableStatements(),
    },
  })

/** Returns the statements of a migration without running them. */
export async function listStatements({ up }: Migration): Promise<readonly CompiledQuery[]> {
  const statements: CompiledQuery[] = []
  await up(
    createStatementKysely(async (query) => {
      statements.push(query)
      return { rows: [] }
    }),
  )
  return statements
}

class PerformingDriver extends DummyDriver {
  readonly #perform: Perform
  constructor(perform: Perform) {
    super()
    this.#perform = perform
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <Row>(query: CompiledQuery) => this.#perform(query) as Promise<QueryResult<Row>>,
      streamQuery: () => {
        throw new Error('Rows are not streamed: read in batches')
      },
    }
  }
}

class RepeatableStatements extends PostgresQueryCompiler {
  protected override visitCreateTable(node: CreateTableNode): void {
    super.visitCreateTable({ ...node, ifNotExists: true })
  }
  protected override visitDropTable(node: DropTableNode): void {
    super.visitDropTable({ ...node, ifExists: true })
  }
  protected override visitCreateIndex(node: CreateIndexNode): void {
    super.visitCreateIndex({ ...node, ifNotExists: true })
  }
  protected override visitDropIndex(node: DropIndexNode): void {
    super.visitDropIndex({ ...node, ifExists: true })
  }
  protected override visitAddColumn(node: AddColumnNode): void {
    this.append('add column if not exists ')
    this.visitNode(node.column)
  }
  protected override visitDropColumn(node: DropColumnNode): void {
    this.append('drop column if exists ')
    this.visitNode(node.column)
  }
}
