/** Checks every statement of every migration, because two releases share one database during an upgrade. */
import type { RootOperationNode } from 'kysely'
import { describe, expect, test } from 'vitest'
import { capabilities } from '../../../start/capabilities.ts'
import { collectMigrations } from '../../capability.ts'
import { isOlder, release } from '../../release.ts'
import { listStatements } from '../migrate/statements.ts'
import { migrations } from './index.ts'
import type { Migration } from './migration.ts'

const all = Object.entries({ ...migrations, ...collectMigrations(capabilities) })

/** Returns the part of a statement that breaks an older server, or undefined. */
function dropped(node: RootOperationNode): string | undefined {
  switch (node.kind) {
    case 'CreateTableNode':
      return undefined
    case 'CreateIndexNode':
      return undefined
    case 'DropIndexNode':
    case 'DropTableNode':
      return node.kind
    case 'AlterTableNode': {
      const { columnAlterations = [], kind: _, table: __, ...others } = node
      const other = Object.keys(others).filter((name) => Reflect.get(others, name) !== undefined)
      const changed = columnAlterations.filter((alteration) => {
        if (alteration.kind !== 'AddColumnNode') return true
        const { notNull, defaultTo, unique } = alteration.column
        return Boolean(unique) || (Boolean(notNull) && !defaultTo)
      })
      return [...other, ...changed.map(({ kind }) => kind)][0]
    }
    default:
      return undefined
  }
}

describe.each(all)('%s', (_, migration: Migration) => {
  test('drops and requires nothing that an older server depends on, unless it contracts', async () => {
    const found = (await listStatements(migration)).flatMap(({ query }) => dropped(query) ?? [])
    if (migration.contracts === undefined) expect(found).toEqual([])
    else {
      expect(found).not.toEqual([])
      expect(isOlder(release, migration.contracts)).toBe(false)
    }
  })

  test('contains only idempotent data statements', async () => {
    const onRows = (await listStatements(migration)).filter(
      ({ query }) => !/^(?:Create|Alter|Drop)/.test(query.kind),
    )
    for (const { query, sql } of onRows) {
      const isRepeatable =
        ['UpdateQueryNode', 'DeleteQueryNode'].includes(query.kind) || /on conflict .*do nothing/s.test(sql)
      expect(isRepeatable, sql).toBe(true)
    }
  })
})

const migrating = (up: Migration['up']) => async () => {
  const [statement] = await listStatements({ up })
  return statement && dropped(statement.query)
}
test.each([
  ['drops a table', ({ schema }) => schema.dropTable('users').execute(), 'DropTableNode'],
  ['drops an index', ({ schema }) => schema.dropIndex('users_by_end').execute(), 'DropIndexNode'],
  [
    'drops a column',
    ({ schema }) => schema.alterTable('users').dropColumn('name').execute(),
    'DropColumnNode',
  ],
  ['renames a table', ({ schema }) => schema.alterTable('users').renameTo('people').execute(), 'renameTo'],
  [
    'requires a column that existing rows lack',
    ({ schema }) =>
      schema
        .alterTable('users')
        .addColumn('name', 'text', (column) => column.notNull())
        .execute(),
    'AddColumnNode',
  ],
  [
    'makes a column stricter',
    ({ schema }) =>
      schema
        .alterTable('users')
        .alterColumn('name', (column) => column.setNotNull())
        .execute(),
    'AlterColumnNode',
  ],
] satisfies readonly (readonly [string, Migration['up'], string])[])(
  'a migration that %s is detected',
  async (_, up, kind) => {
    expect(await migrating(up)()).toBe(kind)
  },
)

test('schema statements are idempotent', async () => {
  const statements = await listStatements({
    async up({ schema }) {
      await schema.createTable('guests').addColumn('id', 'text').execute()
      await schema.createIndex('guests_by_id').unique().on('guests').column('id').execute()
      await schema.alterTable('guests').addColumn('name', 'text').execute()
      await schema.alterTable('guests').dropColumn('name').execute()
      await schema.dropIndex('guests_by_id').execute()
      await schema.dropTable('guests').execute()
    },
  })
  expect(statements.map(({ sql }) => sql)).toEqual([
    'create table if not exists "guests" ("id" text)',
    'create unique index if not exists "guests_by_id" on "guests" ("id")',
    'alter table "guests" add column if not exists "name" text',
    'alter table "guests" drop column if exists "name"',
    'drop index if exists "guests_by_id"',
    'drop table if exists "guests"',
  ])
})
