/** Addresses of embedded wallets. A separate module, loaded with the wallet. */
import * as v from 'valibot'
import { walletSizes } from '../../limits/wallet-sizes.ts'
import { evmAddress, hex } from './chain-primitives.ts'
import type { ChainType } from './chain-types.ts'

/** The public key, 32 bytes in base58, which is case-sensitive. */
export const solanaAddress = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
/** A serialized transaction, with the signatures that it has so far. */
export const solanaTransaction = v.pipe(hex, v.maxLength(2 + 2 * walletSizes.maxSolanaTransactionBytes))
/** 64 bytes in base58. */
export const solanaSignature = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/))
/** The cluster of a login, as `solana:signIn` names it. A login depends on no cluster. */
export const solanaChain = v.literal('solana:mainnet')
/** The address of an embedded wallet. Base58 has no 0, so an address is never valid for two chains. */
export const walletAddress = v.union([evmAddress, solanaAddress])

export const getChainType = (address: string): ChainType => (address.startsWith('0x') ? 'ethereum' : 'solana')

/** Compares addresses. Ethereum addresses are case-insensitive. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (getChainType(one) === 'ethereum' && one.toLowerCase() === other.toLowerCase())
