/**
 * What a request asks to have signed or done. Chains are decimal texts: typed data may name any number. `isText`: it
 * can be read by a person. What can not may be the hash of anything.
 */
export type Reading = { readonly digest: string } & (
  | {
      readonly kind: 'message'
      readonly isText: boolean
      /** The sites that the message logs its signer in at, also if it is no text. */
      readonly signInDomains: readonly string[]
    }
  | { readonly kind: 'account' }
  | {
      readonly kind: 'typed_data'
      readonly primaryType: string
      /** The names of all that it is made of. */
      readonly structs: readonly string[]
      readonly chainId: string | undefined
      readonly contract: string | undefined
      /** That it moves, or lets somebody move, as far as its form says so. */
      readonly tokens: readonly string[]
      /** The coin of its network too. */
      readonly movesCoin: boolean
    }
  | {
      readonly kind: 'transaction'
      readonly chainId: string
      /** Undefined where it makes a contract. */
      readonly to: string | undefined
      readonly value: bigint
      readonly data: string
      /** What carrying it out costs at most, in the same unit as the value. */
      readonly mostFee: bigint
      /** The transaction as the request contains it. */
      readonly serialized: `0x${string}`
    }
)
