import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDollars, toCents } from './cents.ts'

const coin = 10n ** 18n

test.each([
  [coin, 2_000, 200_000, '2000.00'],
  [coin / 100n, 2_000.5, 2_001, '20.01'],
  [1n, 2_000, 1, '0.01'],
  [0n, 2_000, 0, '0.00'],
  [coin, 0, 0, '0.00'],
])('%s of a coin at %s dollars are %s cents', (amount, price, cents, dollars) => {
  expect(toCents(amount, { usd: price, decimals: 18 })).toBe(cents)
  expect(formatDollars(cents)).toBe(dollars)
})

test.each([
  [5_000_000n, 6, 500],
  [1n, 6, 1],
  [0n, 6, 0],
  [12_345_678n, 8, 13],
  [3n, 0, 300],
  [10n ** 36n, 36, 100],
])('%s of a token with %s decimals, at a dollar, are %s cents', (amount, decimals, cents) => {
  expect(toCents(amount, { usd: 1, decimals })).toBe(cents)
})

test('rounds up, and caps values that are too large to count', () => {
  const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const prices = fc.double({ min: 0, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(amounts, prices, (amount, price) => {
      const cents = toCents(amount, { usd: price, decimals: 18 })
      expect(Number.isSafeInteger(cents)).toBe(true)
      const exact = (Number(amount) / 1e18) * price * 100
      expect(cents).toBeGreaterThanOrEqual(Math.min(exact * 0.999_999, 1e15))
    }),
  )
})

test('a higher amount is never worth less', () => {
  const amounts = fc.bigInt({ min: 0n, max: 2n ** 100n })
  fc.assert(
    fc.property(amounts, amounts, fc.double({ min: 0, max: 1e6, noNaN: true }), (one, more, usd) => {
      const price = { usd, decimals: 18 }
      expect(toCents(one + more, price)).toBeGreaterThanOrEqual(toCents(one, price))
    }),
  )
})
