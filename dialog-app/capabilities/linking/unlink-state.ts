/** How far an unlinking is, as a machine: its user is asked until the server has unlinked the account, or they leave. */
import { type ErrorCode, LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import { done, type Ending, exitCodes, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'

export type UnlinkState = {
  phase: { at: 'asking' } | { at: 'unlinking' }
  /** The last try did not do it for this reason. */
  problem: ErrorCode | undefined
}

export type UnlinkEvent =
  | { type: 'unlink' }
  | { type: 'unlinked'; user: UserRecord }
  | { type: 'not unlinked'; cause: unknown }

export type UnlinkEffect = { type: 'unlink' } | { type: 'end'; ending: Ending<UserRecord> }

export const stillLinked: UnlinkState = { phase: { at: 'asking' }, problem: undefined }

const table: Table<UnlinkState, UnlinkEvent, UnlinkEffect> = {
  asking: {
    unlink: (state) => [{ ...state, phase: { at: 'unlinking' } }, { type: 'unlink' }],
  },
  unlinking: {
    unlinked: (state, { user }): Next<UnlinkState, UnlinkEffect> => [
      state,
      { type: 'end', ending: done(user) },
    ],
    'not unlinked': (_, { cause }) => [{ phase: { at: 'asking' }, problem: problemOf(cause) }],
  },
}

export const unlinkStep = stepBy(table)

/** What the caller gets where the user leaves now. */
export const endingOfClose = ({ problem }: UnlinkState): Ending<UserRecord> =>
  failed(new LatchkeyError(problem ?? exitCodes.link, 'The account stays linked'))

const problemOf = (cause: unknown): ErrorCode =>
  toLatchkeyError(cause, 'failed_to_link_account', 'The account could not be unlinked').code
