import type { ErrorCode } from '../errors/error-codes.ts'
import type { Contract } from './contract.ts'

export type CallDoc = { summary: string; errors: readonly ErrorCode[] }

/** Descriptions of a contract, per call. */
export type ContractDoc<C extends Contract> = {
  parties: { parent: string; child: string }
  originRule: { parent: string; child: string }
  parent: { readonly [Name in keyof C['parent']]: CallDoc }
  child: { readonly [Name in keyof C['child']]: CallDoc }
}
