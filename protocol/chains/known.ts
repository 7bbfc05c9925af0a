/** What is said of a chain, by its number: a table of its own, for those who name one. */
import type { AppConfig } from '../entities/app-config.ts'
import { trimTrailing } from '../names/trim-trailing.ts'
import known from './known.json' with { type: 'json' }

/** Name, symbol of its own money, decimals of that, and the address of its explorer, where it has one. */
export type KnownChain = readonly [
  name: string,
  symbol: string,
  decimals: number,
  explorerUrl: string,
  kind?: 'op-stack',
]

export type NamedChain = {
  id: number
  name: string
  symbol: string
  decimals: number
  explorerUrl: string
  /** What a transaction costs has a part more: for its data, which is kept on another chain. */
  isOpStack: boolean
}
/** One that nobody has named is said by its number, and its money in the smallest units. */
export type Chain =
  | NamedChain
  | {
      id: number
      name: undefined
      symbol: undefined
      explorerUrl: string
      isOpStack: false
    }

/**
 * Says what the data of a transaction costs, on each chain of that kind.
 * https://specs.optimism.io/protocol/predeploys.html#gaspriceoracle
 */
export const gasPriceOracleAddress = '0x420000000000000000000000000000000000000F'

/** The explorer for a chain that has none itself. */
const ethereumExplorer = 'https://etherscan.io'
const table = known as unknown as Readonly<Record<string, KnownChain>>

/** Undefined for a number that no list has. */
export function findKnownChain(id: number): NamedChain | undefined {
  const row = Object.hasOwn(table, String(id)) ? table[String(id)] : undefined
  if (!row) return undefined
  const [name, symbol, decimals, explorerUrl, kind] = row
  return {
    id,
    name,
    symbol,
    decimals,
    explorerUrl: explorerUrl || ethereumExplorer,
    isOpStack: kind === 'op-stack',
  }
}

/** By the operator's settings, and where they say nothing of it, by the table. */
export function findNamedChain({ chains }: Pick<AppConfig, 'chains'>, id: number): NamedChain | undefined {
  const own = chains.find((chain) => chain.id === id)
  if (!own) return findKnownChain(id)
  const { name, symbol, decimals, explorerUrl, opStack } = own
  return {
    id,
    name,
    symbol,
    decimals,
    explorerUrl: explorerUrl === undefined ? ethereumExplorer : trimTrailing(explorerUrl, '/'),
    isOpStack: opStack ?? findKnownChain(id)?.isOpStack ?? false,
  }
}

export const getChain = (app: Pick<AppConfig, 'chains'>, id: number): Chain =>
  findNamedChain(app, id) ?? {
    id,
    name: undefined,
    symbol: undefined,
    explorerUrl: ethereumExplorer,
    isOpStack: false,
  }
