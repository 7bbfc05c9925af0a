/** What a user can do with their account, a row each where they look at it. */
import type { UserRecord } from '@latchkey/protocol'
import type { CardHandle } from '../flow/flow.ts'
import type { ShownPart } from '../flow/screen.ts'
import type { Settings } from '../host/settings.ts'

export type AccountEntry = {
  isHere: (settings: Settings, user: UserRecord) => boolean
  /** Comes when the account is looked at. */
  load: () => Promise<ShowAccountEntry>
}

/** An entry stands on the card of the flow that shows the account; what it sends counts while that card can be used. */
export type ShowAccountEntry = (on: {
  user: UserRecord
  card: CardHandle
  isUsable: () => boolean
}) => ShownPart
