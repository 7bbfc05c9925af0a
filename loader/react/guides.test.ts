/** Checks that the guides for hosts mention only exported names. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as react from './react.ts'

const guide = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
/** Hooks of Privy, which the migration guide mentions. */
const oldHooks = ['usePrivy']

test.each(['react.md', 'coming-from-privy.md'])('every hook in %s is exported', (name) => {
  const named = new Set(guide(name).match(/\buse[A-Z]\w+/g))
  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((hook) => !(hook in react) && !oldHooks.includes(hook))).toEqual([])
})

test('every import in the Privy migration guide is exported', () => {
  const imports = [...guide('coming-from-privy.md').matchAll(/^\+ import \{ (.*) \} from '(.*)'$/gm)]
  expect(imports.map(([, , from]) => from)).toEqual(['@latchkey/loader/react', '@latchkey/server'])
  expect(react).toHaveProperty(imports[0]?.[1] ?? '')
})
