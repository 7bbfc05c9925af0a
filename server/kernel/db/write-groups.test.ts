import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { isUnavailable } from './failures.ts'
import { createWriteGroups } from './write-groups.ts'

/** A real database whose disk fails at given statements, a given number of times. */
function failingDatabase() {
  const database = new DatabaseSync(':memory:')
  database.exec('create table notes (text text)')
  const faults = new Map<string, number>()
  const faulty = {
    get isTransaction() {
      return database.isTransaction
    },
    exec(sql: string) {
      const left = faults.get(sql) ?? 0
      if (left > 0) {
        faults.set(sql, left - 1)
        throw new Error(`The disk fails at ${sql}`)
      }
      database.exec(sql)
    },
  }
  return {
    groups: createWriteGroups(() => faulty),
    note: (text: string) => () => database.prepare('insert into notes values (?)').run(text),
    fail: (sql: string, times = 1) => faults.set(sql, times),
    storedNotes: () => database.prepare('select text from notes order by text').all(),
  }
}

const describeOutcome = async (work: Promise<unknown>) =>
  work.then(
    () => 'kept',
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : String(error)),
  )

test('a failed group commit rejects all members as unavailable and stores nothing', async () => {
  const { groups, note, fail, storedNotes } = failingDatabase()
  fail('COMMIT')
  const transaction = async () => {
    const open = await groups.begin(() => {})
    note('in a transaction')()
    await open.commit()
  }
  const writes = [groups.write(note('one')), groups.write(note('two')), transaction()]
  expect(await Promise.all(writes.map(describeOutcome))).toEqual([
    'unavailable',
    'unavailable',
    'unavailable',
  ])
  expect(storedNotes()).toEqual([])
  await groups.write(note('after'))
  expect(storedNotes()).toEqual([{ text: 'after' }])
})

test('settles all members if the rollback fails too, and the next group starts clean', async () => {
  const { groups, note, fail, storedNotes } = failingDatabase()
  fail('COMMIT')
  fail('ROLLBACK')
  const writes = [groups.write(note('one')), groups.write(note('two'))]
  expect(await Promise.all(writes.map(describeOutcome))).toEqual(['unavailable', 'unavailable'])
  await groups.write(note('after'))
  expect(storedNotes()).toEqual([{ text: 'after' }])
})

test('rejects writes as unavailable while the rollback keeps failing', async () => {
  const { groups, note, fail, storedNotes } = failingDatabase()
  fail('COMMIT')
  fail('ROLLBACK', 2)
  expect(await describeOutcome(groups.write(note('one')))).toBe('unavailable')
  expect(await describeOutcome(groups.write(note('two')))).toBe('unavailable')
  await groups.write(note('after'))
  expect(storedNotes()).toEqual([{ text: 'after' }])
})

test.each([
  ['rolled back', 'ROLLBACK TO member; RELEASE member'],
  ['released', 'RELEASE member'],
])('a member that cannot be %s on its own fails with its group', async (way, statement) => {
  const { groups, note, fail, storedNotes } = failingDatabase()
  fail(statement)
  const beside = describeOutcome(groups.write(note('beside')))
  const open = await groups.begin(() => {})
  note('member')()
  if (way === 'released') expect(await describeOutcome(open.commit())).toBe('unavailable')
  else open.rollback()
  expect(await beside).toBe('unavailable')
  expect(storedNotes()).toEqual([])
  await groups.write(note('after'))
  expect(storedNotes()).toEqual([{ text: 'after' }])
})
