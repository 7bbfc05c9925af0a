/** What is signed is put to the server first, which says where it may be approved; the token of its step names it. */
import type { Confirmation } from '@latchkey/protocol/api'
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import type { Api } from '../api/client.ts'
import type { Clock } from '../ports.ts'
import type { Cancellable } from '../waiting.ts'
import type { VerifiedAsker } from './verification.ts'

/** What the server said of a request that was put. */
export type Confirmed = Omit<Confirmation, 'expiresInSeconds'> & {
  readonly handle: string
  readonly expiresAtMs: number
}

/** `silent`: it is to be signed without a screen, where the app allows that. */
export type ConfirmingAsker = Cancellable & { readonly silent?: boolean; readonly handle?: string }
/** Who signs what was confirmed. */
export type SigningAsker = VerifiedAsker & { readonly confirmation?: Confirmed | undefined }

export type Confirm = (
  address: string,
  request: WalletRpcRequest,
  asker?: ConfirmingAsker,
) => Promise<Confirmed>

export type ConfirmPorts = {
  readonly api: Api
  readonly clock: Clock
  /** Of the page that asks. */
  readonly hostOrigin: string | null
  /** 32 random bytes. */
  readonly newHandle: () => string
}
