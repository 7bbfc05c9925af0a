/** Which address of a person is taken for theirs. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { flag, verifiedEmail } from './provider.ts'

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  ['yes', false],
  [1, false],
  [undefined, false],
])('%j says that an address is verified: %j', (said, expected) => {
  expect(v.parse(flag, said)).toBe(expected)
})

test('an address that was not verified, or is none, is left out', () => {
  expect(verifiedEmail('ada@example.com', true)).toBe('ada@example.com')
  expect(verifiedEmail('ada@example.com', false)).toBeNull()
  expect(verifiedEmail('ada at example', true)).toBeNull()
  expect(verifiedEmail(null, true)).toBeNull()
})
