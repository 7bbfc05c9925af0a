/** What something is worth, in whole cents, never too little. */

const MICRO = 1_000_000
/** Coins have 18 digits, prices are taken with 6, and a dollar has a hundred cents. */
const PER_CENT = 10n ** 22n

/** A number that is kept as one; nothing is ever worth as much. */
const MOST_CENTS = 1_000_000_000_000_000n

export function centsOf(amount: bigint, usdPerCoin: number): number {
  const price = BigInt(Math.ceil(usdPerCoin * MICRO))
  const cents = (amount * price + PER_CENT - 1n) / PER_CENT
  return Number(cents < MOST_CENTS ? cents : MOST_CENTS)
}

/** `12.34` */
export const dollarsOf = (cents: number) => (cents / 100).toFixed(2)
