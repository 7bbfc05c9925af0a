import { expect, test } from 'vitest'
import { isSame } from './constant-time.ts'

test('two texts are the same where every byte is, and nothing is the same as more of it', () => {
  expect(isSame('a secret', 'a secret')).toBe(true)
  for (const other of ['a secreT', 'a secre', 'a secret ', '']) expect(isSame('a secret', other)).toBe(false)
})

test('a text of as many letters and more bytes is another one', () => {
  expect(isSame('secret', 'sécret')).toBe(false)
})

test('bytes are compared as texts are', () => {
  expect(isSame(Uint8Array.of(1, 2, 3), Buffer.from([1, 2, 3]))).toBe(true)
  expect(isSame(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4))).toBe(false)
  expect(isSame(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2))).toBe(false)
})
