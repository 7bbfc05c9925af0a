import type { ChainType, SignUi } from '@latchkey/protocol'
import type { Relayed } from '../../host/host-calls.ts'

export type SignRequest = {
  readonly ui?: SignUi
  /** That the page has opened for it. */
  readonly window?: string | undefined
  readonly relayed?: Relayed | undefined
} & (
  | { readonly kind: 'message'; readonly message: string; readonly chain: ChainType }
  /** That are no text, to be signed by an Ethereum wallet. */
  | { readonly kind: 'bytes'; readonly hex: string }
  /** The typed data is JSON. */
  | { readonly kind: 'typed-data'; readonly data: string }
)
export type Signed = { readonly signature: string; readonly address: string }
