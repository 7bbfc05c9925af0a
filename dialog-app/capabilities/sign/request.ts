import type { SignUi } from '@latchkey/protocol'

export type SignRequest = { readonly ui?: SignUi } & (
  | { readonly kind: 'message'; readonly message: string }
  /** As JSON. */
  | { readonly kind: 'typed-data'; readonly data: string }
)
export type Signed = { readonly signature: string; readonly address: string }
