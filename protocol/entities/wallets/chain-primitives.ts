/** Schemas of wallets and chains. */
import * as v from 'valibot'

export const evmAddress = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/))
/** CAIP-2: `eip155:1`. */
export const caip2EthereumChain = v.pipe(
  v.string(),
  v.regex(/^eip155:[1-9][0-9]{0,14}$/, 'Not an Ethereum chain'),
)
export const hex = v.pipe(v.string(), v.regex(/^0x([0-9a-fA-F]{2})*$/))
