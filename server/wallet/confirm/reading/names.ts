/** Looks up the display names of chains and tokens in the built-in lists and the operator's lists. */
import { confirmLimits } from '@latchkey/protocol'
import type { Confirmation, OpenConfirmation } from '@latchkey/protocol/api'
import { type Prices, solanaChain } from '../../../integrations/prices/prices.ts'
import type { App } from '../../../kernel/ports.ts'
import type { Reading } from './reading.ts'

export async function findChain({ config }: Pick<App, 'config'>, chainId: string | null | undefined) {
  if (chainId === null || chainId === undefined) return undefined
  // Loaded on demand: a table of hundreds of chains that only signing needs.
  const { findNamedChain } = await import('@latchkey/protocol/chains')
  return findNamedChain(config, Number(chainId))
}

export async function getAssetNames(
  reading: Reading,
  app: Pick<App, 'config'>,
  getPrices: () => Prices,
): Promise<Confirmation['names']> {
  if (reading.kind === 'solana_transaction') {
    const tokens = findTokens(solanaChain, listMints(reading), getPrices)
    return tokens.length === 0 ? null : { coin: null, tokens }
  }
  if (reading.kind !== 'typed_data' || reading.chainId === undefined) return null
  const tokens = findTokens(reading.chainId, reading.tokens, getPrices)
  const chain = reading.movesCoin ? await findChain(app, reading.chainId) : undefined
  if (tokens.length === 0 && chain === undefined) return null
  return { coin: chain ? { symbol: chain.symbol, decimals: chain.decimals } : null, tokens }
}

/** Returns the tokens of a Solana transaction, each once. */
export const listMints = ({ tokens }: Extract<Reading, { kind: 'solana_transaction' }>) =>
  [...new Set(tokens.map(({ mint }) => mint))].slice(0, confirmLimits.maxNamedTokens)

export const findTokens = (
  chainId: string,
  addresses: readonly string[],
  getPrices: () => Prices,
): OpenConfirmation['tokens'] =>
  addresses.flatMap((address) => {
    const token = getPrices().findToken(chainId, address)
    return token ? [{ address, ...token }] : []
  })
