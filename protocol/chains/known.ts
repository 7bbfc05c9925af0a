/** Known chains, by chain id. A separate module, loaded only by code that displays chains. */
import type { AppConfig } from '../entities/app-config.ts'
import { trimTrailing } from '../names/trim-trailing.ts'
import known from './known.json' with { type: 'json' }

/** Name, native currency symbol and decimals, and explorer URL if there is one. */
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
  /** Transactions pay an additional L1 data fee. */
  isOpStack: boolean
}
/** A chain. An unknown one is displayed by its id, with amounts in the smallest unit. */
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
 * The contract that returns the L1 data fee, on each OP Stack chain.
 * https://specs.optimism.io/protocol/predeploys.html#gaspriceoracle
 */
export const gasPriceOracleAddress = '0x420000000000000000000000000000000000000F'

/** The fallback for chains without an explorer. */
const ethereumExplorer = 'https://etherscan.io'
const table = known as unknown as Readonly<Record<string, KnownChain>>

/** Returns a chain of the table, or undefined. */
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

/** Returns a chain of the operator's settings, or else of the table. */
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
