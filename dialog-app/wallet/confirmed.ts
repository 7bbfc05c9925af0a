/**
 * Types of a confirmation. Every signature and account action is put to the server first. The server decides the
 * approval surface, and the token of the step names the confirmation.
 */
import type { Confirmation } from '@latchkey/protocol/api'
import type {
  ConfirmableRequest,
  ConfirmationPlace,
  OpenedPage,
  RelayedRequester,
} from '@latchkey/protocol/wallet'
import type { Api } from '../api/client.ts'
import type { Clock } from '../browser/ports.ts'
import type { Cancellable } from '../browser/waiting.ts'
import type { VerifiedOptions } from './verification.ts'

/** The server's answer to a request that was put. */
export type ConfirmedRequest = Omit<Confirmation, 'expiresInSeconds'> & {
  handle: string
  expiresAtMs: number
  /** Opens the approving page. The handle is in the fragment, which no server receives. */
  buttonUrl: string
  /** A dapp requested it through a relay. */
  isRelayed?: boolean
}
/** The request that the confirmation page may let the vault approve. */
export type OfferedRequest = Pick<ConfirmedRequest, 'handle' | 'digest'> & {
  /** The name of the window that the host page opened for it. */
  window?: string
}

/**
 * Options for a confirmation. An existing handle puts the same request again, for example for the page after the
 * card.
 */
export type ConfirmOptions = Cancellable & {
  place?: ConfirmationPlace
  handle?: string | undefined
  /** The dapp that requests through a relay. Only the page may approve such a request. */
  requester?: RelayedRequester | undefined
}
/** Options for a signature. */
export type SignOptions = VerifiedOptions & { confirmation?: ConfirmedRequest | undefined }

export type Confirm = (
  /** Null for an account action of a user without a wallet. */
  address: string | null,
  request: ConfirmableRequest,
  options?: ConfirmOptions,
) => Promise<ConfirmedRequest>

export type ConfirmPorts = {
  api: Api
  clock: Clock
  /** The origin of the host page. */
  hostOrigin: string | null
  /** 32 random bytes. */
  newHandle: () => string
  buttonUrl: (page: OpenedPage, handle: string) => string
}
