import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFunctionBody } from './source.ts'

const folder = `${import.meta.dirname}/../calls`
const file = (name: string) => readFileSync(`${folder}/${name}.ts`, 'utf8')

test('bodyOf returns the lines of the function and no others', () => {
  const source =
    'export const one = async () => {\n  await a()\n  if (b) {\n    c()\n  }\n}\n\nexport const two = async () => {\n  d()\n}\n'
  expect(readFunctionBody('one', [source])).toBe('await a()\nif (b) {\n  c()\n}')
  expect(readFunctionBody('two', [source])).toBe('d()')
})

test('bodyOf distinguishes a name that is the prefix of another', () => {
  expect(readFunctionBody('logIn', [file('login')])).not.toContain('loginMethods')
  expect(readFunctionBody('logInBy', [file('login')])).toContain('loginMethods')
})

test('bodyOf throws for an unknown call', () => {
  expect(() => readFunctionBody('logIn', [])).toThrow('Unknown call logIn')
})
