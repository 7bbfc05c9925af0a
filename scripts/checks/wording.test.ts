import { expect, test } from 'vitest'
import { lowerBounds, wordingIn, wordingProblems } from './wording.ts'

const rulesIn = (path: string, source: string) =>
  wordingIn(path, source).map(({ rule, line }) => [rule, line])

test('finds pronouns and openings in comments of every form', () => {
  const source = [
    '/** Returns the share. */',
    '/**',
    ' * Stores the share',
    ' * of whoever asks.',
    ' */',
    '// Of the first kind,',
    '// and for nobody else.',
    'const whoever = "what is this"',
  ].join('\n')
  expect(rulesIn('server/a.ts', source)).toEqual([
    ['pronouns', 2],
    ['pronouns', 6],
    ['openings', 6],
  ])
})

test('finds names in code and nothing but test names in tests', () => {
  expect(rulesIn('server/a.ts', 'const said = 1\nfunction hashOf() {}\ntype A = { readonly b: 1 }')).toEqual([
    ['names', 1],
    ['ofNames', 2],
    ['readonly', 3],
  ])
  expect(
    rulesIn('server/a.test.ts', "const said = 1\n  it('nobody waits', () => {})\n  it('waits', f)"),
  ).toEqual([['tests', 2]])
})

test('reports a package over its bound, and lowers bounds but never raises them', () => {
  const findings = wordingIn('sdk/server/a.ts', 'const said = 1\nconst given = 2')
  expect(wordingProblems(findings, { 'sdk/server': { names: 2 } })).toEqual([])
  expect(wordingProblems(findings, { 'sdk/server': { names: 1 } })[0]).toContain(
    'sdk/server: 2 × names, at most 1',
  )
  expect(lowerBounds(findings, { 'sdk/server': { names: 9 } })).toEqual({ 'sdk/server': { names: 2 } })
  expect(lowerBounds(findings, { 'sdk/server': { names: 1 } })).toEqual({ 'sdk/server': { names: 1 } })
})
