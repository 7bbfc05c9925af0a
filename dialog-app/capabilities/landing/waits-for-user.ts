import type { UserRecord } from '@latchkey/protocol'
import type { AfterLoginStep } from '../../contract/login.ts'

/** Something is due that only the user can do: until then their login is not complete. */
export const waitsForUser = (steps: readonly AfterLoginStep[], user: UserRecord): boolean =>
  steps.some(({ isDue, catchUp }) => catchUp === undefined && isDue(user))
