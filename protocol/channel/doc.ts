import type { ErrorCode } from '../errors/error-codes.ts'
import type { Contract } from './contract.ts'

export type CallDoc = { readonly says: string; readonly errors: readonly ErrorCode[] }

/** What a reader of the contract is told, a row a call. */
export type ContractDoc<C extends Contract> = {
  readonly parties: { readonly parent: string; readonly child: string }
  readonly originRule: { readonly parent: string; readonly child: string }
  readonly parent: { readonly [Name in keyof C['parent']]: CallDoc }
  readonly child: { readonly [Name in keyof C['child']]: CallDoc }
}
