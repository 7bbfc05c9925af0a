import type { ConfirmationPlace, ConfirmationReason } from '@latchkey/protocol/wallet'

/** What the server said of a request that was put. */
export type Confirmed = {
  readonly handle: string
  readonly place: ConfirmationPlace
  readonly reason: ConfirmationReason
  readonly usd: string | null
  readonly digest: string
  readonly expiresAtMs: number
}
