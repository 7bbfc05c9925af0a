import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const sheets = ['dialog-app', 'wallet-frame'].flatMap((folder) =>
  globSync(`${folder}/**/*.css`, { cwd: root, exclude: (path) => path.includes('node_modules') }),
)

/** Each property that takes time to change, by the sheet that says so. */
const slow = sheets.flatMap((sheet) =>
  [...readFileSync(join(root, sheet), 'utf8').matchAll(/transition(?:-property)?:([^;}]*)/g)].flatMap(
    ([, value = '']) =>
      value.split(',').flatMap((each) => {
        const [property, duration] = each.trim().split(/\s+/)
        return property === 'none' || duration === '0s' ? [] : `${sheet}: ${property}`
      }),
  ),
)

/**
 * A ground that is on its way to its colour while its label has its own already, or the other way round, can not be
 * read; where both are on their way they meet in the middle.
 */
test('no ground and no label takes time to change its colour', () => {
  expect(slow.length).toBeGreaterThan(0)
  expect(slow.filter((each) => !/: (?:opacity|transform|box-shadow)$/.test(each))).toEqual([])
})
