/** What is signed or done is put to the server first, which says where it may be approved; a step's token names it. */
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
import type { VerifiedAsker } from './verification.ts'

/** What the server said of a request that was put. */
export type Confirmed = Omit<Confirmation, 'expiresInSeconds'> & {
  handle: string
  expiresAtMs: number
  /** Of the button that opens the page on which it may be approved, with the handle in what no server is told. */
  buttonUrl: string
  /** A dapp asks for it through a relay. */
  isRelayed?: boolean
}
/** What the page of the wallet's origin may have the vault approve. */
export type Offered = Pick<Confirmed, 'handle' | 'digest'> & {
  /** That the host's page has opened for it, by the name that it gave it. */
  window?: string
}

/** With a handle, what was put under it is put once more: for the page, after the card. */
export type ConfirmingAsker = Cancellable & {
  place?: ConfirmationPlace
  handle?: string | undefined
  /** The dapp that asks through a relay, where one does: then the page alone approves it. */
  requester?: RelayedRequester | undefined
}
/** Who signs what was confirmed. */
export type SigningAsker = VerifiedAsker & { confirmation?: Confirmed | undefined }

export type Confirm = (
  /** Null for what is done with the account of a user without a wallet. */
  address: string | null,
  request: ConfirmableRequest,
  asker?: ConfirmingAsker,
) => Promise<Confirmed>

export type ConfirmPorts = {
  api: Api
  clock: Clock
  /** The origin of the page that asks. */
  hostOrigin: string | null
  /** 32 random bytes. */
  newHandle: () => string
  buttonUrl: (page: OpenedPage, handle: string) => string
}
