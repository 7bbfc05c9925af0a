/**
 * What a request asks to have signed or done. Chains are decimal texts: typed data may name any number. `isText`: it
 * can be read by a person. What can not may be the hash of anything.
 */
export type Reading = { digest: string } & (
  | {
      kind: 'message'
      isText: boolean
      /** The sites that the message logs its signer in at, also if it is no text. */
      signInDomains: readonly string[]
    }
  | { kind: 'account' }
  | {
      kind: 'typed_data'
      primaryType: string
      /** The names of all that it is made of. */
      structs: readonly string[]
      chainId: string | undefined
      contract: string | undefined
      /** That it moves, or lets somebody move, as far as its form says so. */
      tokens: readonly string[]
      /** The coin of its network too. */
      movesCoin: boolean
    }
  | {
      kind: 'transaction'
      chainId: string
      /** Undefined where it makes a contract. */
      to: string | undefined
      value: bigint
      data: string
      /** What carrying it out costs at most, in the same unit as the value. */
      mostFee: bigint
      /** The transaction as the request contains it. */
      serialized: `0x${string}`
    }
)
