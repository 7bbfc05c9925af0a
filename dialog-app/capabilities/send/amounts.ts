/** Amounts as they are read: tokens with six decimals, money with two. */

const TOKEN_DECIMALS = 6
const LEAST_SHOWN = '<0.001'

/** `value` in the smallest units. What is there but would show as nothing is less than the least. */
export function formatTokens(value: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const fraction = (value % unit)
    .toString()
    .padStart(decimals, '0')
    .slice(0, TOKEN_DECIMALS)
    .replace(/0+$/, '')
  const whole = value / unit
  if (whole === 0n && fraction === '' && value > 0n) return LEAST_SHOWN
  return fraction === '' ? String(whole) : `${whole}.${fraction}`
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const LEAST_DOLLARS = 0.01

/** What `value` smallest units of a token are worth at `price` dollars for a whole one. */
export function formatDollars(value: bigint, decimals: number, price: number): string {
  const worth = (Number(value) / 10 ** decimals) * price
  return value > 0n && worth < LEAST_DOLLARS ? '<$0.01' : dollars.format(worth)
}
