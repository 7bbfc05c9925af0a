/** Signing requests, one schema per method. They are sent to the vault and to the server that confirms them. */
import * as v from 'valibot'
import { evmAddress, hex } from '../../entities/wallets/chain-primitives.ts'
import { solanaAddress, solanaTransaction } from '../../entities/wallets/wallet-address.ts'
import { channelLimits } from '../../limits/limits.ts'
import { walletSizes } from '../../limits/wallet-sizes.ts'
import { delegationLimits } from '../sponsor/delegation.ts'
import { operationLimits } from '../sponsor/operation.ts'

/** The methods of a Solana wallet. The wallet frame rejects others with the message from the specification. */
export const solanaMethod = 'signMessage' as const
/** The frame writes the text of a sign-in, and the vault signs it like a message. */
export const solanaSignInMethod = 'signIn' as const
export const solanaTransactionMethod = 'solana_signTransaction' as const

/** `[message, address]`, as EIP-1193 providers send it. The dialog sends every text as hex, which is unambiguous. */
export const personalSignParamsSchema = v.tuple([
  v.pipe(v.string(), v.nonEmpty(), v.maxLength(2 + 2 * walletSizes.maxMessageBytes)),
  evmAddress,
])

/**
 * `[address, typedData, digest]`: the JSON that the user saw, and its hash from the dialog. The vault computes its own
 * hash and only signs if both match.
 */
export const signTypedDataParamsSchema = v.tuple([
  evmAddress,
  v.pipe(v.string(), v.maxLength(channelLimits.maxSignRequestBytes)),
  v.pipe(hex, v.length(2 + 64)),
])

/** `[transaction, address]`: the unsigned transaction, serialized for hashing. */
export const signTransactionParamsSchema = v.tuple([
  v.pipe(hex, v.maxLength(2 + 2 * walletSizes.maxTransactionBytes)),
  evmAddress,
])

/**
 * `[address, operation, digest]`: the fields of a user operation as JSON, and the digest from the dialog. The vault
 * computes its own digest from the fields and only signs if both match.
 */
export const signUserOperationParamsSchema = v.tuple([
  evmAddress,
  v.pipe(v.string(), v.maxLength(operationLimits.maxTextLength)),
  v.pipe(hex, v.length(2 + 64)),
])

/**
 * `[address, delegation, digest]`: the fields of a delegation as JSON, and the digest from the dialog. The vault computes
 * its own digest from the fields and only signs if both match.
 */
export const signAuthorizationParamsSchema = v.tuple([
  evmAddress,
  v.pipe(v.string(), v.maxLength(delegationLimits.maxTextLength)),
  v.pipe(hex, v.length(2 + 64)),
])

export const walletRpcRequestSchema = v.variant('method', [
  v.object({ method: v.literal('personal_sign'), params: personalSignParamsSchema }),
  v.object({ method: v.literal('eth_signTypedData_v4'), params: signTypedDataParamsSchema }),
  v.object({ method: v.literal('eth_signTransaction'), params: signTransactionParamsSchema }),
  v.object({ method: v.literal('eth_signUserOperation'), params: signUserOperationParamsSchema }),
  v.object({ method: v.literal('eth_signAuthorization'), params: signAuthorizationParamsSchema }),
])

/** `[message, publicKey]`: the UTF-8 of the text is signed unchanged. */
const solanaMessageRequest = v.object({
  method: v.literal(solanaMethod),
  params: v.tuple([
    v.pipe(v.string(), v.nonEmpty(), v.maxLength(walletSizes.maxMessageBytes)),
    solanaAddress,
  ]),
})

/** `[transaction, publicKey]`: the serialized transaction, with the signatures that it has so far. */
export const solanaTransactionParamsSchema = v.tuple([solanaTransaction, solanaAddress])

/** Requests of all chains. */
export const signableRequestSchema = v.variant('method', [
  ...walletRpcRequestSchema.options,
  solanaMessageRequest,
  v.object({ method: v.literal(solanaTransactionMethod), params: solanaTransactionParamsSchema }),
])
export type SignableRequest = v.InferOutput<typeof signableRequestSchema>

export type WalletRpcRequest = v.InferOutput<typeof walletRpcRequestSchema>
