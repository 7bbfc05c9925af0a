/** Which e-mail addresses count as verified. */
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
])('the flag %j means verified: %j', (said, expected) => {
  expect(v.parse(flag, said)).toBe(expected)
})

test('omits unverified and invalid addresses', () => {
  expect(verifiedEmail('ada@example.com', true)).toBe('ada@example.com')
  expect(verifiedEmail('ada@example.com', false)).toBeNull()
  expect(verifiedEmail('ada at example', true)).toBeNull()
  expect(verifiedEmail(null, true)).toBeNull()
})
