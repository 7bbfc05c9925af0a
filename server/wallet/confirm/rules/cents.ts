/** Converts amounts to whole cents, rounded up. */

/** Prices have six decimals: micro-dollars. */
const MICRO = 1_000_000
const MICRO_PER_CENT = 10n ** 4n

/** An upper bound that is a safe integer. */
const MOST_CENTS = 1_000_000_000_000_000n

/** Converts an amount with `decimals` decimals to cents. */
export function toCents(amount: bigint, { usd, decimals }: { usd: number; decimals: number }): number {
  const price = BigInt(Math.ceil(usd * MICRO))
  const perCent = 10n ** BigInt(decimals) * MICRO_PER_CENT
  const cents = (amount * price + perCent - 1n) / perCent
  return Number(cents < MOST_CENTS ? cents : MOST_CENTS)
}

/** Formats cents as dollars, for example `12.34`. */
export const formatDollars = (cents: number) => (cents / 100).toFixed(2)
