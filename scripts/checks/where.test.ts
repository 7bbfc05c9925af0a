import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const rows = [
  ...readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(
    /^\| ([^|]+?) *\| `([^`]+)` +\| `([^`]+)` +\|$/gm,
  ),
].map(([, question = '', path = '', name = '']) => [question, path, name] as const)

test('CONTRIBUTING.md lists thirty places', () => {
  expect(rows.length).toBeGreaterThanOrEqual(30)
})

test.each(rows)('%s is in %s', (_question, path, name) => {
  expect(existsSync(join(root, path))).toBe(true)
  expect(readFileSync(join(root, path), 'utf8')).toContain(name)
})
