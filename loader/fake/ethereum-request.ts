/** What a provider asks, read by the row of its method as the dialog reads it. */
import {
  type EthereumMethod,
  ethereumMethod,
  type ethereumMethods,
  type ParamsOf,
  readParams,
} from '@latchkey/protocol/host'

type Rows = typeof ethereumMethods
type WalletMethod = {
  [Name in EthereumMethod]: Rows[Name]['by'] extends 'wallet' ? Name : never
}[EthereumMethod]

/** A method that the wallet answers has to be answered by a fake; whatever reads the chain is one case. */
export type EthereumRequest =
  | {
      readonly [Name in WalletMethod]: {
        readonly method: Name
        readonly params: ParamsOf<Name>
      }
    }[WalletMethod]
  | { readonly method: 'chain'; readonly asked: string; readonly params: readonly unknown[] }

export function readRequest({
  method,
  params: given,
}: {
  readonly method: string
  readonly params: readonly unknown[]
}): EthereumRequest {
  const params = readParams(method, given)
  const isOfChain = ethereumMethod(method)?.by === 'chain'
  return (isOfChain ? { method: 'chain', asked: method, params } : { method, params }) as EthereumRequest
}
