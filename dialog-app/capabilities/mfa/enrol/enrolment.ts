/** The enrolment of one method, as its screens share it. */
import type { UserRecord } from '@latchkey/protocol'
import type { ScreenProps, ScreenStack } from '../../../app/screen.ts'
import type { MethodChange } from '../method-change.ts'
import type { MfaPorts } from '../ports.ts'

export type Enrolment = {
  ports: MfaPorts
  change: MethodChange
  /** Stores the user with the new method, and shows above the screen in front that it was added. */
  complete: (user: UserRecord, screens: ScreenStack) => Promise<void>
}

/** A screen of an enrolment resolves when the method was added. */
export type EnrolmentProps<Props = object> = ScreenProps<'added', Props & { enrolment: Enrolment }>

/** A method with a code has two steps: the source of the code, and the code. */
export const stepCount = 2
