/** Addresses of wallets of ours, of whichever chain. Apart from what every page has: they come with the wallet. */
import * as v from 'valibot'
import { evmAddress } from './chain-primitives.ts'
import type { ChainType } from './chain-types.ts'

/** The public key itself, 32 bytes in base58, in which the case counts. */
export const solanaAddress = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
/** 64 bytes in base58. */
export const solanaSignature = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/))
/** The address of an embedded wallet, of whatever chain it is. Base58 has no 0, so no address is of two chains. */
export const walletAddress = v.union([evmAddress, solanaAddress])

export const getChainType = (address: string): ChainType => (address.startsWith('0x') ? 'ethereum' : 'solana')

/** An Ethereum address is the same in any case. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (getChainType(one) === 'ethereum' && one.toLowerCase() === other.toLowerCase())
