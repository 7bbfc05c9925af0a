/** Amounts as they are read: of tokens with six decimals, of money with two. */
import { trimTrailing } from '../names/trim-trailing.ts'

const TOKEN_DECIMALS = 6
const LEAST_SHOWN = '<0.001'

/** All of it, to the last digit: what somebody approves. `value` in the smallest units. */
export function formatExact(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length - decimals),
    trimTrailing(digits.slice(digits.length - decimals), '0'),
  ]
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** `value` in the smallest units. What would show as nothing is less than the least. */
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
