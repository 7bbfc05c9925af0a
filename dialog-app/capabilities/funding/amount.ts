/** An amount as a person types it, in the smallest unit. Undefined for what is none, is nothing, or is too fine for the coin. */
export function parseAmount(typed: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,18})(?:[.,]([0-9]{0,36}))?$/.exec(typed.trim()) ?? []
  if (whole === undefined) return undefined
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > decimals) return undefined
  const amount = BigInt(whole + kept.padEnd(decimals, '0'))
  return amount > 0n ? amount : undefined
}
