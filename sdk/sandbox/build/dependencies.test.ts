import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

type Names = Readonly<Record<string, string>>
const dependenciesOf = (folder: string): Names =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../..', folder, 'package.json'), 'utf8'))
    .dependencies

it('the package installs what the programs that it starts install, in the same versions', () => {
  expect(dependenciesOf('sdk/sandbox')).toEqual({ ...dependenciesOf('server'), ...dependenciesOf('sandbox') })
})
