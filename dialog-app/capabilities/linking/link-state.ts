/**
 * How far a link is, as a machine: the method shows its entry and proves an account, as often as its user tries, until
 * one is linked.
 */
import { LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { StartedMethod } from '../../contract/login.ts'
import { done, type Ending, exitCodes, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'

export type LinkState = {
  phase: { at: 'starting' } | { at: 'proving' } | { at: 'linked' }
  /** It shows the entry; undefined while the method starts. */
  started: StartedMethod | undefined
  /** Why it did not come to a link, where more than the user's leaving is known. */
  problem: LatchkeyError | undefined
}

export type LinkEvent =
  | { type: 'begin' }
  | { type: 'started'; started: StartedMethod }
  /** The user tries anew. */
  | { type: 'chosen' }
  /** The method says the problem itself. */
  | { type: 'failed'; problem: LatchkeyError }
  | { type: 'refused'; cause: unknown }
  | { type: 'linked'; user: UserRecord }

export type LinkEffect =
  | { type: 'start' }
  | { type: 'show entry' }
  /** What took the page away, and is back, goes on. */
  | { type: 'resume'; started: StartedMethod }
  | { type: 'show refusal'; refusal: LatchkeyError }
  /** Its caller hears; the screen stays. */
  | { type: 'settle'; ending: Ending<UserRecord> }
  /** The success stays to be read for a moment. */
  | { type: 'hold' }

type Step = Next<LinkState, LinkEffect>

export const unlinked: LinkState = {
  phase: { at: 'starting' },
  started: undefined,
  problem: undefined,
}

/** A method may refuse what it is back with while it starts. */
const always = {
  chosen: (state: LinkState): Step => [{ ...state, problem: undefined }],
  failed: (state: LinkState, { problem }: { problem: LatchkeyError }): Step => [{ ...state, problem }],
  refused(state: LinkState, { cause }: { cause: unknown }): Step {
    const refusal = toLatchkeyError(cause, 'failed_to_link_account', 'The account could not be linked')
    return [
      { ...state, problem: refusal },
      { type: 'show refusal', refusal },
    ]
  },
  linked: (state: LinkState, { user }: { user: UserRecord }): Step => [
    { ...state, phase: { at: 'linked' } },
    { type: 'settle', ending: done(user) },
    { type: 'hold' },
  ],
}

const table: Table<LinkState, LinkEvent, LinkEffect> = {
  starting: {
    ...always,
    begin: (state) => [state, { type: 'start' }],
    started: (state, { started }) => [
      { ...state, phase: { at: 'proving' }, started },
      { type: 'show entry' },
      { type: 'resume', started },
    ],
  },
  proving: always,
  linked: {},
}

export const linkStep = stepBy(table)

/** What the caller gets where the user closes the card now. */
export const endingOfClose = ({ problem }: LinkState): Ending<UserRecord> =>
  failed(problem ?? new LatchkeyError(exitCodes.link, 'The user closed the dialog'))
