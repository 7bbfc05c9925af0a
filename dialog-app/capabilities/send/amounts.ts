/** Amounts of tokens as they are read, with six decimals. */

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
