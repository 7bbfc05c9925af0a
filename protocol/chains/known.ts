/** What is said of a chain, by its number: a table of its own, for those who name one. */
import known from './known.json' with { type: 'json' }

/** Name, symbol of its own money, decimals of that, and the address of its explorer, where it has one. */
export type KnownChain = readonly [name: string, symbol: string, decimals: number, explorerUrl: string]

export type Chain = {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly explorerUrl: string
}

/** Of a chain that has none itself. */
const ethereumExplorer = 'https://etherscan.io'
const table = known as unknown as Readonly<Record<string, KnownChain>>

/** Undefined for a number that no list has. */
export function knownChain(id: number): Chain | undefined {
  const row = Object.hasOwn(table, String(id)) ? table[String(id)] : undefined
  if (!row) return undefined
  const [name, symbol, decimals, explorerUrl] = row
  return { id, name, symbol, decimals, explorerUrl: explorerUrl || ethereumExplorer }
}
