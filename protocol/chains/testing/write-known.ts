/**
 * node protocol/chains/testing/write-known.ts
 *
 * Writes `known.json` from viem's chain list, which includes formatters, contracts and RPC URLs and is ten times as
 * large. If two chains share an id, the first by export name wins.
 */
import { writeFileSync } from 'node:fs'
import * as chains from 'viem/chains'
import { gasPriceOracleAddress, type KnownChain } from '../known.ts'

type ViemChain = {
  id: number
  name: string
  nativeCurrency: { symbol: string; decimals: number }
  blockExplorers?: { default: { url: string } }
  contracts?: { gasPriceOracle?: { address: string } }
}

export function readViemChains(): Readonly<Record<string, KnownChain>> {
  const rows = new Map<number, KnownChain>()
  for (const [, chain] of Object.entries(chains as unknown as Readonly<Record<string, ViemChain>>).sort()) {
    if (typeof chain?.id !== 'number' || rows.has(chain.id)) continue
    const { symbol, decimals } = chain.nativeCurrency
    const explorer = chain.blockExplorers?.default.url ?? ''
    // Only https explorer links are shown.
    const link = explorer.startsWith('https://') ? explorer.replace(/\/+$/, '') : ''
    const isOpStack = chain.contracts?.gasPriceOracle?.address === gasPriceOracleAddress
    const row = [chain.name, symbol, decimals, link] as const
    rows.set(chain.id, isOpStack ? [...row, 'op-stack'] : row)
  }
  return Object.fromEntries([...rows].sort(([one], [other]) => one - other))
}

if (import.meta.main) {
  const rows = Object.entries(readViemChains()).map(([id, chain]) => `"${id}":${JSON.stringify(chain)}`)
  writeFileSync(new URL('../known.json', import.meta.url), `{\n${rows.join(',\n')}\n}\n`)
}
