/**
 * How far a link is, as a machine: the method shows its entry and proves an account, as often as its user tries, until
 * one is linked.
 */
import { LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { StartedMethod } from '../../contract/login.ts'
import { done, type Ending, exitCodes, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'

export type LinkState = {
  readonly phase: { readonly at: 'starting' } | { readonly at: 'proving' } | { readonly at: 'linked' }
  /** It shows the entry; undefined while the method starts. */
  readonly started: StartedMethod | undefined
  /** Why it did not come to a link, where more than the user's leaving is known. */
  readonly problem: LatchkeyError | undefined
}

export type LinkEvent =
  | { readonly type: 'begin' }
  | { readonly type: 'started'; readonly started: StartedMethod }
  /** The user tries anew. */
  | { readonly type: 'chosen' }
  /** The method says the problem itself. */
  | { readonly type: 'failed'; readonly problem: LatchkeyError }
  | { readonly type: 'refused'; readonly cause: unknown }
  | { readonly type: 'linked'; readonly user: UserRecord }

export type LinkEffect =
  | { readonly type: 'start' }
  | { readonly type: 'show entry' }
  /** What took the page away, and is back, goes on. */
  | { readonly type: 'resume'; readonly started: StartedMethod }
  | { readonly type: 'show refusal'; readonly refusal: LatchkeyError }
  /** Its caller hears; the screen stays. */
  | { readonly type: 'settle'; readonly ending: Ending<UserRecord> }
  /** The success stays to be read for a moment. */
  | { readonly type: 'hold' }

type Step = Next<LinkState, LinkEffect>

export const unlinked: LinkState = {
  phase: { at: 'starting' },
  started: undefined,
  problem: undefined,
}

/** A method may refuse what it is back with while it starts. */
const always = {
  chosen: (state: LinkState): Step => [{ ...state, problem: undefined }],
  failed: (state: LinkState, { problem }: { readonly problem: LatchkeyError }): Step => [
    { ...state, problem },
  ],
  refused(state: LinkState, { cause }: { readonly cause: unknown }): Step {
    const refusal = toLatchkeyError(cause, 'failed_to_link_account', 'The account could not be linked')
    return [
      { ...state, problem: refusal },
      { type: 'show refusal', refusal },
    ]
  },
  linked: (state: LinkState, { user }: { readonly user: UserRecord }): Step => [
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
