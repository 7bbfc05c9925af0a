/** Each example is a file of an app before and after, with the report of the command. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatReport } from '../command-line/run.ts'
import { migrate } from './migrate.ts'

const folder = join(import.meta.dirname, '../examples')
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const read = (name: string, file: string) => readFileSync(join(folder, name, file), 'utf8')
const findProject = (name: string) => JSON.parse(read(name, 'project.json'))

test('the examples are at least ten', () => {
  expect(names.length).toBeGreaterThanOrEqual(10)
})

describe.each(names)('the example %s', (name) => {
  test('is migrated to the expected file and report', () => {
    const migrated = migrate('before.tsx', read(name, 'before.tsx'), findProject(name))
    expect(migrated?.code).toBe(read(name, 'after.tsx'))
    const lines = migrated ? formatReport({ path: 'before.tsx', ...migrated }) : []
    expect(`${lines.join('\n')}\n`).toBe(read(name, 'report.txt'))
  })

  test('is not changed a second time, with any package.json', () => {
    const after = read(name, 'after.tsx')
    for (const project of [{}, findProject(name), { privyMajor: 1 }]) {
      expect(migrate('after.tsx', after, project)).toMatchObject({ code: after, changes: [] })
    }
  })

  test('is migrated in the same way with Windows line endings', () => {
    const toWindows = (text: string) => text.replaceAll('\n', '\r\n')
    const migrated = migrate('before.tsx', toWindows(read(name, 'before.tsx')), findProject(name))
    expect(migrated?.code).toBe(toWindows(read(name, 'after.tsx')))
  })
})
