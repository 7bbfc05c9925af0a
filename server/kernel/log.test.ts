/** Sanitising of third-party messages in the log. */
import { expect, test } from 'vitest'
import { loggedReason } from './log.ts'

test('removes signatures and addresses from a reason', () => {
  const signature = `0x${'ab'.repeat(65)}`
  expect(loggedReason(`execution failed for ${signature} of a wallet`)).toBe(
    'execution failed for (left out) of a wallet',
  )
  expect(
    loggedReason(`failed: token ${'eyJhbGciOiJFUzI1NiJ9'}${'a'.repeat(20)} at https://rpc.example/v3/key`),
  ).toBe('failed: token (left out) at (address)')
  expect(loggedReason('status 500\nRequest body: {"params":["secret"]}')).toBe('status 500')
  expect(loggedReason('x '.repeat(400))).toHaveLength(200)
})

test('keeps a plain reason unchanged', () => {
  expect(loggedReason('TypeError: fetch failed')).toBe('TypeError: fetch failed')
  expect(loggedReason('status 401, code 20003')).toBe('status 401, code 20003')
})
