/** Each table with user rows is declared by its capability. */
import { expect, test } from 'vitest'
import { type Capability, collectExpiryRules, collectUserRows } from '../kernel/capability.ts'
import { forEachEngine } from '../kernel/db/test-engines.ts'
import type { Db } from '../kernel/ports.ts'
import { capabilities } from './capabilities.ts'

const namesUser = /^(?:.+_)?user(?:_id)?$/

async function tablesThatNameUsers(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables
    .filter(({ columns }) => columns.some(({ name }) => namesUser.test(name)))
    .map(({ name }) => name)
    .sort()
}
const declaredBy = (list: Capability[]) =>
  collectUserRows(list)
    .map(({ table }) => table)
    .sort()

/** Has a table with a user column, but does not declare it. */
const forgetful: Capability = {
  name: 'forgetful',
  migrations: {
    '0001-visits': {
      up: ({ schema }) =>
        schema.createTable('visits').addColumn('id', 'text').addColumn('visiting_user_id', 'text').execute(),
    },
  },
}

forEachEngine((database) => {
  test('every table with a user column is declared exactly once, and no other table is', async () => {
    const { db } = database()
    expect(declaredBy(capabilities)).toEqual(await tablesThatNameUsers(db))
  })

  test('detects an undeclared table with a user column', async () => {
    const { db } = database()
    await forgetful.migrations?.['0001-visits']?.up(db)
    try {
      const named = await tablesThatNameUsers(db)
      expect(named).toContain('visits')
      const declared = declaredBy([...capabilities, forgetful])
      expect(named.filter((name) => !declared.includes(name))).toEqual(['visits'])
    } finally {
      await db.schema.dropTable('visits').execute()
    }
  })
})

test('user rows that outlast their user have an expiry rule of the same capability', () => {
  const outlasting = capabilities.flatMap((capability) =>
    collectUserRows([capability])
      .filter(({ goes }) => goes === 'by age')
      .map(({ table }) => ({
        table,
        expires: collectExpiryRules([capability]).some(
          (expiry) => 'table' in expiry && expiry.table === table,
        ),
      })),
  )
  expect(outlasting).toEqual([
    { table: 'sessions', expires: true },
    { table: 'analytics_events', expires: true },
    { table: 'sponsored_operations', expires: true },
    { table: 'passkey_challenges', expires: true },
    { table: 'admin_audit', expires: true },
    { table: 'import_rows', expires: true },
    { table: 'webhook_events', expires: true },
  ])
})
