import { expect, test } from 'vitest'
import { instrument } from './instrument.ts'

const replacements = (source: string) =>
  instrument('a.ts', source).mutants.map(({ original, replacement }) => `${original} → ${replacement}`)

/** What the code answers while one mutant is active. */
async function answers(source: string): Promise<readonly unknown[]> {
  const { code, mutants } = instrument('a.ts', source)
  const answer = (active: number) =>
    new Function('__mutant', `${code}\nreturn answer()`)((id: number) => id === active)
  return [answer(-1), ...mutants.map(({ id }) => answer(id))]
}

test('a condition is turned at its edge, is always met, and is never met', () => {
  expect(replacements('if (a < b) run(1)').sort()).toEqual([
    '1 → 2',
    'a < b → a <= b',
    'a < b → false',
    'a < b → true',
    'run(1) → ',
  ])
})

test('a sentence, a name and a type are left alone', () => {
  expect(replacements("import a from 'b'\ntype C = 'd' | 1\nconst e: C = { 'f': a as C }.f")).toEqual([
    "{ 'f': a as C } → {}",
  ])
  expect(replacements("fail('Something went wrong')")).toEqual(["fail('Something went wrong') → "])
})

test('a condition of a query is left out, an await is not waited for', () => {
  expect(replacements("await table.where('a', '=', 1)")).toContain("table.where('a', '=', 1) → table")
  expect(replacements('await run()')).toEqual(['await run() → ', 'await run() → run()'])
})

test('the least is the most, and a method that merely has a name of the language is itself', () => {
  expect(replacements('one = Math.min(a, b)')).toContain('Math.min(a, b) → Math.max(a, b)')
  expect(replacements('one = byte.toString(a)')).toEqual(['one = byte.toString(a) → '])
})

test('without an active mutant the code is what it was, and each of them changes it', async () => {
  const [right, ...wrong] = await answers('const answer = () => 2 * 3 + 1')
  expect(right).toBe(7)
  expect(wrong).toHaveLength(6)
  for (const answer of wrong) expect(answer).not.toBe(7)
})

test('lines without semicolons stay statements of their own', async () => {
  const [right] = await answers('let at = 1\nconst answer = () => at\n;(() => { at = 2 })()\nat += 1')
  expect(right).toBe(3)
})

test('what an optional chain skips is still skipped', async () => {
  const [right] = await answers('const answer = () => [undefined?.a.b(1).c, null ?? 7]')
  expect(right).toEqual([undefined, 7])
})
