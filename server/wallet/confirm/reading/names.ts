/** What is called by a name where a request is shown: chains and tokens, as lists of ours or the operator's have them. */
import type { Confirmation, OpenConfirmation } from '@latchkey/protocol/api'
import type { Prices } from '../../../integrations/prices/prices.ts'
import type { App } from '../../../kernel/ports.ts'
import type { Reading } from './reading.ts'

export async function chainNamed({ config }: Pick<App, 'config'>, chainId: string | null | undefined) {
  if (chainId === null || chainId === undefined) return undefined
  // A table of hundreds of chains: who never signs needs none of it.
  const { findNamedChain } = await import('@latchkey/protocol/chains')
  return findNamedChain(config, Number(chainId))
}

export async function namesInTypedData(
  reading: Reading,
  app: Pick<App, 'config'>,
  known: () => Prices,
): Promise<Confirmation['names']> {
  if (reading.kind !== 'typed_data' || reading.chainId === undefined) return null
  const tokens = tokensNamed(reading.chainId, reading.tokens, known)
  const chain = reading.movesCoin ? await chainNamed(app, reading.chainId) : undefined
  if (tokens.length === 0 && chain === undefined) return null
  return { coin: chain ? { symbol: chain.symbol, decimals: chain.decimals } : null, tokens }
}

export const tokensNamed = (
  chainId: string,
  addresses: readonly string[],
  known: () => Prices,
): OpenConfirmation['tokens'] =>
  addresses.flatMap((address) => {
    const token = known().findToken(chainId, address)
    return token ? [{ address, ...token }] : []
  })
