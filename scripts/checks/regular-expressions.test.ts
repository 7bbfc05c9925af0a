import { expect, test } from 'vitest'
import { slowExpressions } from './regular-expressions.ts'

const problemsOf = (text: string, path = 'server/a.ts') => slowExpressions([path], () => text)

test.each([
  ['two quantifiers that share characters', String.raw`/^\s*(.*?)\s*wants/.test(x)`, 'more than linear time'],
  ['a quantifier at the start of a search', String.raw`x.replace(/\/+$/, '')`, 'more than linear time'],
  ['a repeated group that has several readings', String.raw`/^(?:\s*[^,=]*)*$/.test(x)`, 'exponential time'],
])('the check reports %s', (_name, text, problem) => {
  expect(problemsOf(`\nconst y = ${text}`)).toContainEqual(
    expect.stringMatching(new RegExp(`^server/a.ts:2: .* ${problem} `)),
  )
})

test('the check accepts linear expressions, and ignores tests', () => {
  expect(problemsOf('/^[a-z]+(?:-[a-z]+)*$/.test(x)')).toEqual([])
  expect(problemsOf('/^(a+)+$/.test(x)', 'server/a.test.ts')).toEqual([])
})

test('the check reports an expression that is composed at run time, unless its file is listed', () => {
  expect(problemsOf('new RegExp(x)')).toEqual(['server/a.ts:1: RegExp() is not analysed. Use a literal'])
  expect(problemsOf('new RegExp(x)', 'server/pages/pages/template.ts')).toEqual([])
  expect(problemsOf('x', 'server/pages/pages/template.ts')).toEqual([
    'server/pages/pages/template.ts composes no expression any more. Remove it from the list',
  ])
})
