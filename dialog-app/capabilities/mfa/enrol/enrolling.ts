/** What the enrolment of a method gets: a place on the card, and the change that it makes. */
import type { UserRecord } from '@latchkey/protocol'
import type { CardHandle } from '../../../flow/flow.ts'
import type { MethodChange } from '../method-change.ts'
import type { MfaPorts } from '../ports.ts'

export type Enrolling = {
  readonly ports: MfaPorts
  readonly card: CardHandle
  readonly change: MethodChange
  /** It verifies from now on. */
  readonly added: (user: UserRecord) => void
}

/** Shows its first screen, once it has what that needs. */
export type Enrol = (enrolling: Enrolling) => Promise<void>
