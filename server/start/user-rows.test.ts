/** Each table that names a user is declared by the capability that it belongs to. */
import { expect, test } from 'vitest'
import { type Capability, expiriesOf, userRowsOf } from '../kernel/capability.ts'
import { forEachEngine } from '../kernel/db/test-engines.ts'
import type { Db } from '../kernel/ports.ts'
import { capabilities } from './capabilities.ts'

const namesUser = /^(?:.+_)?user(?:_id)?$/

async function tablesThatNameUsers(db: Db): Promise<readonly string[]> {
  const tables = await db.introspection.getTables()
  return tables
    .filter(({ columns }) => columns.some(({ name }) => namesUser.test(name)))
    .map(({ name }) => name)
    .sort()
}
const declaredBy = (list: readonly Capability[]) =>
  userRowsOf(list)
    .map(({ table }) => table)
    .sort()

/** Its table names users, and it declares nothing. */
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
  test('every table that names a user is declared by one capability, and no other table is', async () => {
    const { db } = database()
    expect(declaredBy(capabilities)).toEqual(await tablesThatNameUsers(db))
  })

  test('a table that names users and that nobody declares is noticed', async () => {
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

test('rows that outlast their user have an expiry of the same capability', () => {
  const outlasting = capabilities.flatMap((capability) =>
    userRowsOf([capability])
      .filter(({ goes }) => goes === 'by age')
      .map(({ table }) => ({
        table,
        expires: expiriesOf([capability]).some((expiry) => 'table' in expiry && expiry.table === table),
      })),
  )
  expect(outlasting).toEqual([
    { table: 'sessions', expires: true },
    { table: 'analytics_events', expires: true },
    { table: 'passkey_challenges', expires: true },
  ])
})
