import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const sheets = ['dialog-app', 'wallet-frame'].flatMap((folder) =>
  globSync(`${folder}/**/*.css`, { cwd: root, exclude: (path) => path.includes('node_modules') }),
)

/** The animated properties of each stylesheet. */
const slow = sheets.flatMap((sheet) =>
  [...readFileSync(join(root, sheet), 'utf8').matchAll(/transition(?:-property)?:([^;}]*)/g)].flatMap(
    ([, value = '']) =>
      value.split(',').flatMap((each) => {
        const [property, duration] = each.trim().split(/\s+/)
        return property === 'none' || duration === '0s' ? [] : `${sheet}: ${property}`
      }),
  ),
)

/** If a background and its label change color at different times, or cross midway, the label becomes unreadable. */
test('does not animate the color of backgrounds and labels', () => {
  expect(slow.length).toBeGreaterThan(0)
  expect(slow.filter((each) => !/: (?:opacity|transform|box-shadow)$/.test(each))).toEqual([])
})
