/**
 * How MoonPay writes the coins of the specification, `<coin>_<network>`: in small letters, and without the network
 * where the coin is at home. https://dev.moonpay.com/docs/on-ramp-supported-cryptocurrencies
 */
const homes: readonly (readonly [ours: string, theirs: string])[] = [
  ['eth_ethereum', 'eth'],
  ['usdc_ethereum', 'usdc'],
  ['usdt_ethereum', 'usdt'],
  ['dai_ethereum', 'dai'],
  ['celo_celo', 'celo'],
  ['sol_solana', 'sol'],
  ['usdc_solana', 'usdc_sol'],
  ['bnb_bnb', 'bnb_bsc'],
  ['matic_polygon', 'pol_polygon'],
]
const known = new Map(homes)

export function moonPayCurrency(code: string): string {
  const written = code.toLowerCase()
  return known.get(written) ?? written
}
