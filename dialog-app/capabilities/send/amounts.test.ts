import { describe, expect, test } from 'vitest'
import { formatTokens } from './amounts.ts'

describe('an amount of tokens', () => {
  test.each([
    [0n, 18, '0'],
    [10n ** 18n, 18, '1'],
    [1_500_000_000_000_000_000n, 18, '1.5'],
    [1_234_567_890_000_000_000n, 18, '1.234567'],
    [1_000_000_000_000n, 18, '0.000001'],
    [999_999_999_999n, 18, '<0.001'],
    [1n, 18, '<0.001'],
    [5_000_000n, 6, '5'],
    [42n, 0, '42'],
    [2n ** 255n, 18, '57896044618658097711785492504343953926634992332820282019728.792003'],
  ])('%d of %d decimals is %s', (value, decimals, shown) => {
    expect(formatTokens(value, decimals)).toBe(shown)
  })
})
