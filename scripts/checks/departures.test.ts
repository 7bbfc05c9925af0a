/** Verifies that the table of departures names existing requirements, with a replacement and a reason for each. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const docs = join(import.meta.dirname, '../../docs')
const readDoc = (name: string) => readFileSync(join(docs, name), 'utf8')

const requirements = new Set(
  readDoc('requirements.tsv')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[0]),
)
const departures = readDoc('departures.md')
  .split('\n')
  .filter((line) => /^\| [LW]\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test.each(departures)('%s%s departs from a known requirement with a reason', (_edge, id, built, reason) => {
  expect(requirements).toContain(id)
  expect(built).toMatch(/\.$/)
  expect(reason).toMatch(/\.$/)
})

// spec L7.50, W7.43
test.each(['L7.50', 'W7.43'])('%s is listed as a departure', (id) => {
  expect(departures.map(([, listed]) => listed)).toContain(id)
})
