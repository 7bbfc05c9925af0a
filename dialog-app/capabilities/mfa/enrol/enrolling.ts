/** The enrolment of a method gets a place on the card, and the change that it makes. */
import type { UserRecord } from '@latchkey/protocol'
import type { FlowHandle } from '../../../flow/flow.ts'
import type { MethodChange } from '../method-change.ts'
import type { MfaPorts } from '../ports.ts'

export type Enrolling = {
  readonly ports: MfaPorts
  readonly card: FlowHandle<UserRecord>
  readonly change: MethodChange
  /** The method verifies from now on. */
  readonly added: (user: UserRecord) => void
}

/** Shows the first screen of the method, once there is what that shows. */
export type Enrol = (enrolling: Enrolling) => Promise<void>

/** A method with a code has two steps: what the code comes from, and the code. */
export const stepCount = 2
