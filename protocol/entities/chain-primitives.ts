/** What only wallets and chains have. */
import * as v from 'valibot'

export const evmAddress = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/))
/** CAIP-2: `eip155:1`. */
export const caip2EthereumChain = v.pipe(
  v.string(),
  v.regex(/^eip155:[1-9][0-9]{0,14}$/, 'Not an Ethereum chain'),
)
export const hex = v.pipe(v.string(), v.regex(/^0x([0-9a-fA-F]{2})*$/))

/** The public key itself, 32 bytes in base58, in which the case counts. */
export const solanaAddress = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
/** 64 bytes in base58. */
export const solanaSignature = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/))
/** Of whatever chain a wallet of ours is. Base58 has no 0, so no address is of two chains. */
export const walletAddress = v.union([evmAddress, solanaAddress])

export const chainTypes = ['ethereum', 'solana'] as const
export type ChainType = (typeof chainTypes)[number]

export const chainOfAddress = (address: string): ChainType =>
  address.startsWith('0x') ? 'ethereum' : 'solana'

/** An Ethereum address is the same in any case. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (chainOfAddress(one) === 'ethereum' && one.toLowerCase() === other.toLowerCase())
