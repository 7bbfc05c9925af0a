/** What a wallet is asked to sign, a shape a method: as it goes to the vault, and to the server that confirms it. */
import * as v from 'valibot'
import { evmAddress, hex } from '../../entities/wallets/chain-primitives.ts'
import { solanaAddress } from '../../entities/wallets/wallet-address.ts'
import { channelLimits } from '../../limits/limits.ts'
import { walletSizes } from '../../limits/wallet-sizes.ts'

/** A Solana wallet signs by this method. The wallet frame refuses every other, in the words of the specification. */
export const solanaMethod = 'signMessage' as const

/** `[message, address]`, as EIP-1193 providers send it; the dialog sends every text as hex, which reads one way only. */
export const personalSignParamsSchema = v.tuple([
  v.pipe(v.string(), v.nonEmpty(), v.maxLength(2 + 2 * walletSizes.maxMessageBytes)),
  evmAddress,
])

/**
 * `[address, typedData, digest]`: what the user was shown, as JSON, and the hash that the dialog made of it. The vault
 * makes its own from what it was given, and signs where both are one.
 */
export const signTypedDataParamsSchema = v.tuple([
  evmAddress,
  v.pipe(v.string(), v.maxLength(channelLimits.maxSignRequestBytes)),
  v.pipe(hex, v.length(2 + 64)),
])

/** `[transaction, address]`: the transaction without its signature, as it is serialized for the hash. */
export const signTransactionParamsSchema = v.tuple([
  v.pipe(hex, v.maxLength(2 + 2 * walletSizes.maxTransactionBytes)),
  evmAddress,
])

export const walletRpcRequestSchema = v.variant('method', [
  v.object({ method: v.literal('personal_sign'), params: personalSignParamsSchema }),
  v.object({ method: v.literal('eth_signTypedData_v4'), params: signTypedDataParamsSchema }),
  v.object({ method: v.literal('eth_signTransaction'), params: signTransactionParamsSchema }),
])

/** `[message, publicKey]`: a text, whose UTF-8 is signed as it is. */
const solanaMessageRequest = v.object({
  method: v.literal(solanaMethod),
  params: v.tuple([
    v.pipe(v.string(), v.nonEmpty(), v.maxLength(walletSizes.maxMessageBytes)),
    solanaAddress,
  ]),
})

/** A request may be one of any chain. */
export const signableRequestSchema = v.variant('method', [
  ...walletRpcRequestSchema.options,
  solanaMessageRequest,
])
export type SignableRequest = v.InferOutput<typeof signableRequestSchema>

export type WalletRpcRequest = v.InferOutput<typeof walletRpcRequestSchema>
