/** What something is worth, in whole cents, never too little. */

/** Prices are taken with six digits after the point, and a dollar has a hundred cents. */
const MICRO = 1_000_000
const MICRO_PER_CENT = 10n ** 4n

/** A number that is kept as one; nothing is ever worth as much. */
const MOST_CENTS = 1_000_000_000_000_000n

/** `decimals`: how many digits the amount has after the point. */
export function centsOf(amount: bigint, { usd, decimals }: { usd: number; decimals: number }): number {
  const price = BigInt(Math.ceil(usd * MICRO))
  const perCent = 10n ** BigInt(decimals) * MICRO_PER_CENT
  const cents = (amount * price + perCent - 1n) / perCent
  return Number(cents < MOST_CENTS ? cents : MOST_CENTS)
}

/** `12.34` */
export const dollarsOf = (cents: number) => (cents / 100).toFixed(2)
