/** Guides for hosts name only what there is. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as react from './react.ts'

const guide = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
/** Hooks of the kit that a reader comes from. */
const oldHooks = ['usePrivy']

test.each(['react.md', 'coming-from-privy.md'])('every hook that %s names is exported', (name) => {
  const named = new Set(guide(name).match(/\buse[A-Z]\w+/g))
  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((hook) => !(hook in react) && !oldHooks.includes(hook))).toEqual([])
})

test('what the guide for those who come from Privy imports is exported', () => {
  const imports = [...guide('coming-from-privy.md').matchAll(/^\+ import \{ (.*) \} from '(.*)'$/gm)]
  expect(imports.map(([, , from]) => from)).toEqual(['@latchkey/loader/react', '@latchkey/server'])
  expect(react).toHaveProperty(imports[0]?.[1] ?? '')
})
