import type { Delegation } from '@latchkey/protocol/wallet'
import type { SolanaEffects } from './solana/effects.ts'
import type { Lookup } from './solana/transaction.ts'

/** The effect and cost of one call on a chain. */
export type Call = {
  chainId: string
  /** Undefined for a contract creation. */
  to: string | undefined
  value: bigint
  data: string
  /** The maximum fee, in the unit of `value`. */
  mostFee: bigint
}

/**
 * A parsed request. Chain ids are decimal strings, because typed data may name any number.
 */
export type Reading = { digest: string } & (
  | {
      kind: 'operation'
      chainId: string
      /** Whether it also lets the wallet run the code of the account contract. */
      authorizes: boolean
      /** The contract that pays the fees, or undefined if a relay of the operator does. */
      paymaster?: `0x${string}`
      calls: Call[]
    }
  | {
      kind: 'delegation'
      chainId: string
      delegate: Delegation['delegate']
      /** The maximum fee of the wallet. Zero if the operator sends the authorization. */
      mostFee: bigint
    }
  | {
      kind: 'message'
      /** Whether a person can read it. Unreadable bytes may be the hash of anything. */
      isText: boolean
      /** The domains of sign-in messages in it, even if it is not text. */
      signInDomains: readonly string[]
    }
  | { kind: 'account' }
  | {
      kind: 'typed_data'
      primaryType: string
      /** The names of all structs in it. */
      structs: readonly string[]
      chainId: string | undefined
      contract: string | undefined
      /** The tokens that it moves or approves, as far as its known format reveals. */
      tokens: readonly string[]
      /** Whether it also moves the chain's native coin. */
      movesCoin: boolean
    }
  | ({
      kind: 'transaction'
      /** The transaction as the request contains it. */
      serialized: `0x${string}`
    } & Call)
  | ({
      kind: 'solana_transaction'
      /** The transaction as the request contains it. */
      wire: Buffer
      lookups: Lookup[]
    } & SolanaEffects)
)
