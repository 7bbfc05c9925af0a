import { formatExact } from '@latchkey/protocol/reading'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAmount } from './transfer-screen.tsx'

test('a formatted amount is parsed back to the same amount', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 17n }),
      fc.integer({ min: 0, max: 18 }),
      (amount, decimals) => {
        expect(parseAmount(formatExact(amount, decimals), decimals)).toBe(amount)
      },
    ),
  )
})

test.each([
  ['0.5', 500_000_000_000_000_000n],
  ['0,5', 500_000_000_000_000_000n],
  [' 2 ', 2_000_000_000_000_000_000n],
  ['1.', 1_000_000_000_000_000_000n],
  ['0.500000000000000000000', 500_000_000_000_000_000n],
])('%j is an amount of a coin with 18 decimals', (typed, amount) => {
  expect(parseAmount(typed, 18)).toBe(amount)
})

test.each(['', '.', '0', '0.0', '-1', '1e3', '0x10', '1.2.3', '1 000', '0.0000000000000000001', 'one'])(
  '%j is none',
  (typed) => {
    expect(parseAmount(typed, 18)).toBeUndefined()
  },
)
