/** Formats amounts for display: tokens with six decimals, money with two. */
import { trimTrailing } from '../names/trim-trailing.ts'

const TOKEN_DECIMALS = 6
const LEAST_SHOWN = '<0.001'

/** Formats all digits, as an approval requires. `value` is in the smallest unit. */
export function formatExact(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length - decimals),
    trimTrailing(digits.slice(digits.length - decimals), '0'),
  ]
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Formats a token amount, rounded down. `value` is in the smallest unit. Tiny amounts become `<0.001`. */
export function formatTokens(value: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const digits = (value % unit).toString().padStart(decimals, '0')
  const fraction = trimTrailing(digits.slice(0, TOKEN_DECIMALS), '0')
  const whole = value / unit
  if (whole === 0n && fraction === '') return LEAST_SHOWN
  return fraction === '' ? String(whole) : `${whole}.${fraction}`
}

const CENT = 0.01

/** Formats an amount in dollars. */
export const formatUsd = (usd: number): string => (usd < CENT ? `<$${CENT}` : `$${usd.toFixed(2)}`)
