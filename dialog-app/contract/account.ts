/** What a user can do with their account, a row each where they look at it. */
import type { UserRecord } from '@latchkey/protocol'
import type { CardHandle } from '../flow/flow.ts'
import type { ShownPart } from '../flow/screen.ts'
import type { Settings } from '../host/settings.ts'

export type AccountEntry = {
  readonly isHere: (settings: Settings, user: UserRecord) => boolean
  /** Comes when the account is looked at. */
  readonly load: () => Promise<ShowAccountEntry>
}

/** An entry stands on the card of the flow that shows the account; what it sends counts while that card can be used. */
export type ShowAccountEntry = (on: {
  readonly user: UserRecord
  readonly card: CardHandle
  readonly isUsable: () => boolean
}) => ShownPart
