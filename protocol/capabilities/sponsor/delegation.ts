/**
 * Changes of a wallet's delegate (EIP-7702): back to none, or to `batchAccount` in the place of another contract. The
 * request contains fields, and no others can be named, so no authorization of a foreign contract is ever signed.
 */
import * as v from 'valibot'
import { batchAccount, count, operationChain, operationLimits, uint256 } from './operation.ts'

/** An authorization of the zero address removes the code of the account. */
export const noDelegate = `0x${'0'.repeat(40)}` as const

export const delegationLimits = {
  /** Gas for the authorization, in addition to the gas of a plain transaction. */
  authorizationGas: 60_000,
  maxTextLength: 1_024,
} as const

export const delegate = v.picklist([noDelegate, batchAccount.address])

export const delegationSchema = v.pipe(
  v.strictObject({
    /** An authorization without a chain would count on every chain, so the chain is never 0. */
    chainId: operationChain,
    delegate,
    /** The account nonce of the authorization. */
    nonce: count(0),
    /**
     * The fees per gas of a transaction by the wallet itself, which has the nonce before that of the authorization. Null
     * if the operator sends it.
     */
    fees: v.nullable(
      v.strictObject({
        gas: count(1, operationLimits.maxGas),
        maxFee: uint256,
        priorityFee: uint256,
      }),
    ),
  }),
  v.check(
    ({ nonce, fees }) => fees === null || nonce > 0,
    'A transaction by the wallet comes before the nonce',
  ),
)
export type Delegation = v.InferOutput<typeof delegationSchema>

const delegationText = v.pipe(
  v.string(),
  v.maxLength(delegationLimits.maxTextLength),
  v.parseJson(),
  delegationSchema,
)

/** Parses the JSON of a delegation. Throws on unknown fields, because ignoring one would sign something else. */
export const parseDelegation = (text: string): Delegation => v.parse(delegationText, text)

/** The code of a delegated account is this prefix and the address of the contract. */
const delegatedPrefix = '0xef0100'

/** Returns the contract that an account with this code runs, in lowercase, or undefined if it is not delegated. */
export const readDelegate = (code: string): string | undefined =>
  /^0xef0100[0-9a-f]{40}$/i.test(code) ? `0x${code.slice(delegatedPrefix.length).toLowerCase()}` : undefined
