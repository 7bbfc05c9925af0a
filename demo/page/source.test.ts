import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bodyOf } from './source.ts'

const folder = `${import.meta.dirname}/../calls`
const file = (name: string) => readFileSync(`${folder}/${name}.ts`, 'utf8')

test('the lines that are shown are those of the function, and no others', () => {
  const source =
    'export const one = async () => {\n  await a()\n  if (b) {\n    c()\n  }\n}\n\nexport const two = async () => {\n  d()\n}\n'
  expect(bodyOf('one', [source])).toBe('await a()\nif (b) {\n  c()\n}')
  expect(bodyOf('two', [source])).toBe('d()')
})

test('a name that is the beginning of another is not taken for it', () => {
  expect(bodyOf('logIn', [file('login')])).not.toContain('loginMethods')
  expect(bodyOf('logInBy', [file('login')])).toContain('loginMethods')
})

test('a call that is not there is a mistake of the page', () => {
  expect(() => bodyOf('logIn', [])).toThrow('Unknown call logIn')
})
