/** What a transaction does, in a form that a screen can say in words. */
import type { Hex } from './transaction.ts'

/** As the contract describes itself, which nobody vouches for; undefined what it does not say. */
export type Token = {
  readonly address: string
  readonly symbol: string | undefined
  /** A token that says none counts single things: each has a number of its own. */
  readonly decimals: number | undefined
}

export type Action =
  | { readonly kind: 'native-transfer' }
  | { readonly kind: 'token-transfer'; readonly token: Token; readonly to: string; readonly amount: bigint }
  | {
      readonly kind: 'token-transfer-from'
      readonly token: Token
      readonly from: string
      readonly to: string
      readonly amount: bigint
    }
  | {
      readonly kind: 'thing-transfer'
      readonly token: Token
      readonly to: string
      readonly id: bigint
      readonly count: bigint
    }
  /** `amount` null: as good as no limit. */
  | {
      readonly kind: 'approval'
      readonly token: Token
      readonly spender: string
      readonly amount: bigint | null
    }
  | {
      readonly kind: 'thing-approval'
      readonly token: Token
      readonly spender: string
      readonly id: bigint
      /** As an amount it would be as good as no limit, and a contract may read it as one. */
      readonly isUnlimited: boolean
    }
  | {
      readonly kind: 'approval-for-all'
      readonly token: Token
      readonly spender: string
      readonly isGiven: boolean
    }
  | { readonly kind: 'contract-creation'; readonly data: Hex }
  /** It can not be said what it does. */
  | { readonly kind: 'unknown'; readonly data: Hex }
