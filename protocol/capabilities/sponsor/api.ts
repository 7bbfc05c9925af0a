/** Operations with fees paid by the operator: the server estimates an operation, sends it, and follows it. */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import { evmAddress, hex } from '../../entities/wallets/chain-primitives.ts'
import { solanaClusters } from '../../entities/wallets/chain-types.ts'
import { solanaAddress, solanaSignature, solanaTransaction } from '../../entities/wallets/wallet-address.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { signedDigest } from '../../vault/confirmed.ts'
import { delegate, delegationSchema } from './delegation.ts'
import { operationCalls, operationChain, operationLimits, userOperationSchema } from './operation.ts'

const dialogRoute = { method: 'POST', auth: 'dialog', forks: false, appHeader: true } as const
const maxBodyBytes = operationLimits.maxTextLength + 4_096

const signature = v.pipe(hex, v.regex(/^0x[0-9a-f]{130}$/))

/** The signature of the operation, followed by that of the authorization if there is one. */
const signatures = v.pipe(hex, v.regex(/^0x(?:[0-9a-f]{130}){1,2}$/))

/**
 * `pending`: sent, and not in a block. `succeeded`, `reverted`: included. `dropped`: the transaction was included, but
 * another one had used the nonce of the operation.
 */
export const sponsoredStates = ['pending', 'succeeded', 'reverted', 'dropped'] as const

const sponsored = v.object({
  /** The hash of the operation. */
  id: signedDigest,
  state: v.picklist(sponsoredStates),
  /** The transaction with the operation. It changes if the server raises its fee. */
  transactionHash: v.nullable(signedDigest),
})
export type SponsoredOperation = v.InferOutput<typeof sponsored>

/** A transaction of a Solana wallet, as serialized bytes with the signatures that it has so far. */
const sponsorableTransaction = v.object({
  address: solanaAddress,
  cluster: v.picklist(solanaClusters),
  transaction: solanaTransaction,
})

export const sponsorRoutes = {
  quoteOperation: {
    ...dialogRoute,
    path: '/sponsor/quote',
    effect: 'changes',
    maxBodyBytes,
    body: v.object({ address: evmAddress, chainId: operationChain, calls: operationCalls }),
    output: v.object({
      operation: userOperationSchema,
      /** The maximum fee, which the operator pays. Null on test networks. */
      usd: v.nullable(text),
    }),
  },
  sendOperation: {
    ...dialogRoute,
    path: '/sponsor/send',
    effect: 'changes, replayed',
    maxBodyBytes,
    body: v.object({ address: evmAddress, operation: userOperationSchema, signatures }),
    output: sponsored,
  },
  quoteDelegation: {
    ...dialogRoute,
    path: '/sponsor/delegation/quote',
    effect: 'changes',
    body: v.object({ address: evmAddress, chainId: operationChain, delegate }),
    output: v.object({ delegation: delegationSchema }),
  },
  sendDelegation: {
    ...dialogRoute,
    path: '/sponsor/delegation/send',
    effect: 'changes, replayed',
    body: v.object({ address: evmAddress, delegation: delegationSchema, signature }),
    output: sponsored,
  },
  operationStatus: {
    ...dialogRoute,
    path: '/sponsor/status',
    effect: 'changes',
    body: v.object({ id: signedDigest }),
    output: sponsored,
  },
  quoteSolanaTransaction: {
    ...dialogRoute,
    path: '/sponsor/solana/quote',
    effect: 'changes',
    body: sponsorableTransaction,
    output: v.object({
      /** The same transaction with the operator as the payer of its fees. */
      transaction: solanaTransaction,
      /** The maximum fee, which the operator pays. Null on test networks. */
      usd: v.nullable(text),
    }),
  },
  signSolanaTransaction: {
    ...dialogRoute,
    path: '/sponsor/solana/sign',
    effect: 'changes, replayed',
    body: sponsorableTransaction,
    output: v.object({
      /** The signature of the operator, which identifies the transaction. */
      signature: solanaSignature,
      /** The transaction with all signatures. */
      transaction: solanaTransaction,
    }),
  },
} as const satisfies Routes

export const sponsorDoc: RoutesDoc<typeof sponsorRoutes> = {
  quoteOperation: {
    summary:
      'Returns an operation (ERC-4337) with these calls of the wallet, ready to be signed, if the operator pays its fees: the app lists the chain, the calls fit the limits of the app, and a simulation succeeds. Nothing is counted.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'not_supported',
      'too_many_requests',
      'transaction_failure',
      'unavailable',
    ],
  },
  sendOperation: {
    summary:
      'Verifies the signatures of the wallet, simulates the operation, counts its maximum fee against the limits of the app and the user, and sends it in a transaction of the operator. Repeating the call sends no second transaction.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'not_supported',
      'too_many_requests',
      'transaction_failure',
      'unavailable',
    ],
  },
  quoteDelegation: {
    summary:
      'Returns an authorization (EIP-7702) that removes the delegate of the wallet or replaces it by the account contract, ready to be signed, if the operator pays its fees. Nothing is counted.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'not_supported',
      'too_many_requests',
      'unavailable',
    ],
  },
  sendDelegation: {
    summary:
      'Verifies the signature of the wallet, counts the maximum fee against the limits of the app and the user, and sends the authorization in a transaction of the operator. Repeating the call sends no second transaction.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'not_supported',
      'too_many_requests',
      'transaction_failure',
      'unavailable',
    ],
  },
  operationStatus: {
    summary: "Returns the state of one of the user's operations, for a day.",
    errors: ['must_be_authenticated', 'not_found'],
  },
  quoteSolanaTransaction: {
    summary:
      'Returns the transaction with an account of the operator as the payer of its fees, ready to be signed, if the operator pays: the app lists the cluster, the fee fits the limits of the app, and a simulation succeeds. Nothing is counted.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'not_supported',
      'too_many_requests',
      'transaction_failure',
      'unavailable',
    ],
  },
  signSolanaTransaction: {
    summary:
      'Verifies all other signatures, simulates the transaction, counts its maximum fee against the limits of the app and the user, and signs it as the payer of the fees. Repeating the call counts nothing again.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'not_supported',
      'too_many_requests',
      'transaction_failure',
      'unavailable',
    ],
  },
}
