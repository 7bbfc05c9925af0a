import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

type Names = Readonly<Record<string, string>>
/** Returns the dependencies of a folder without our own packages, which the sandbox bundles. */
function listDependencies(folder: string): Names {
  const path = resolve(import.meta.dirname, '../../..', folder, 'package.json')
  const { dependencies }: { dependencies: Names } = JSON.parse(readFileSync(path, 'utf8'))
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith('@latchkey/')))
}

it('the sandbox package has the dependencies of its programs, in the same versions', () => {
  expect(listDependencies('sdk/sandbox')).toEqual({
    ...listDependencies('server'),
    ...listDependencies('sandbox'),
  })
})
