/** Sanitising of third-party messages in the log. */
import { expect, test } from 'vitest'
import { sanitizeReason } from './log.ts'

test('removes signatures and addresses from a reason', () => {
  const signature = `0x${'ab'.repeat(65)}`
  expect(sanitizeReason(`execution failed for ${signature} of a wallet`)).toBe(
    'execution failed for (left out) of a wallet',
  )
  expect(
    sanitizeReason(`failed: token ${'eyJhbGciOiJFUzI1NiJ9'}${'a'.repeat(20)} at https://rpc.example/v3/key`),
  ).toBe('failed: token (left out) at (address)')
  expect(sanitizeReason('status 500\nRequest body: {"params":["secret"]}')).toBe('status 500')
  expect(sanitizeReason('x '.repeat(400))).toHaveLength(200)
})

test('keeps a plain reason unchanged', () => {
  expect(sanitizeReason('TypeError: fetch failed')).toBe('TypeError: fetch failed')
  expect(sanitizeReason('status 401, code 20003')).toBe('status 401, code 20003')
})
