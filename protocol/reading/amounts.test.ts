import { describe, expect, test } from 'vitest'
import { formatExact, formatTokens, formatUsd } from './amounts.ts'

// spec L9.18
describe('formatTokens', () => {
  test.each([
    [0n, 18, '<0.001'],
    [0n, 6, '<0.001'],
    [10n ** 18n, 18, '1'],
    [1_500_000_000_000_000_000n, 18, '1.5'],
    [1_234_567_890_000_000_000n, 18, '1.234567'],
    [1_000_000_000_000n, 18, '0.000001'],
    [999_999_999_999n, 18, '<0.001'],
    [1n, 18, '<0.001'],
    [5_000_000n, 6, '5'],
    [42n, 0, '42'],
    [2n ** 255n, 18, '57896044618658097711785492504343953926634992332820282019728.792003'],
  ])('formats %d with %d decimals as %s', (value, decimals, shown) => {
    expect(formatTokens(value, decimals)).toBe(shown)
  })
})

// spec L9.17
describe('formatUsd', () => {
  test.each([
    [0, '<$0.01'],
    [0.009_99, '<$0.01'],
    [0.01, '$0.01'],
    [1, '$1.00'],
    [12.345, '$12.35'],
    [1_234.5, '$1234.50'],
  ])('formats %d dollars as %s', (usd, shown) => {
    expect(formatUsd(usd)).toBe(shown)
  })
})

test.each([
  [0n, 18, '0'],
  [1n, 18, '0.000000000000000001'],
  [1_000_000_000_000_000_001n, 18, '1.000000000000000001'],
  [100_000_000_000_000_000n, 18, '0.1'],
  [5_000_000n, 6, '5'],
  [1_234_567n, 6, '1.234567'],
  [120n, 0, '120'],
])('formatExact formats %s with %s decimals as %s', (value, decimals, text) => {
  expect(formatExact(value, decimals)).toBe(text)
})
