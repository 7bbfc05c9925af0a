import { expect, test } from 'vitest'
import { commitProblems } from './commits.ts'

test('accepts types with and without a scope, and a breaking change', () => {
  expect(
    commitProblems([
      'a1 fix(dialog): arm the button',
      'a2 docs: add a glossary',
      'a3 refactor(e2e)!: drop it',
    ]),
  ).toEqual([])
})

test('rejects a subject without a type, with an unknown type, and over 72 characters', () => {
  expect(
    commitProblems(['b1 Arm the button', 'b2 feature: arm it', `b3 fix: ${'x'.repeat(68)}`]).map((problem) =>
      problem.slice(0, 2),
    ),
  ).toEqual(['b1', 'b2', 'b3'])
})
