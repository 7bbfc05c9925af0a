import type { SignUi } from '@latchkey/protocol'

export type SignRequest = { readonly message: string; readonly ui?: SignUi }
export type Signed = { readonly signature: string; readonly address: string }
