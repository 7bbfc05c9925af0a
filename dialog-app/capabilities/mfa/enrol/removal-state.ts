/**
 * How far the removal of a method is, as a machine: its user approves it, and it goes once they are verified with a
 * method that they have.
 */
import type { PendingConfirmation, ShownApproval } from '../../../approval/confirmed.ts'
import { isRefusal } from '../../../approval/rejection.ts'
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import type { ConfirmedRequest } from '../../../wallet/confirmed.ts'
import { type EnrolProblem, enrolProblemOf } from '../problem.ts'

export type RemovalPhase =
  | { at: 'beginning' }
  | { at: 'review'; confirming: PendingConfirmation; approval: ShownApproval }
  | { at: 'removing' }
  /** It was not approved, so nothing of it was done. */
  | { at: 'stopped' }

export type RemovalState = {
  phase: RemovalPhase
  /** Why the last try removed nothing. It is said until another one does. */
  problem: EnrolProblem | undefined
}

export type RemovalEvent =
  | { type: 'begin' }
  | { type: 'put'; confirming: PendingConfirmation; approval: ShownApproval }
  | {
      type: 'approval changed'
      confirming: PendingConfirmation
      approval: ShownApproval
    }
  | { type: 'approved'; confirming: PendingConfirmation; confirmed: ConfirmedRequest }
  | { type: 'not approved'; confirming: PendingConfirmation; cause: unknown }
  | { type: 'not removed'; cause: unknown }
  | { type: 'again' }

export type RemovalEffect =
  | { type: 'put' }
  | { type: 'show' }
  | { type: 'remove'; confirmed: ConfirmedRequest }
  /** The method stays. */
  | { type: 'leave' }

type Step = Next<RemovalState, RemovalEffect>

export const unremoved: RemovalState = { phase: { at: 'beginning' }, problem: undefined }

const put = (state: RemovalState): Step => [state, { type: 'put' }]
const review = (
  state: RemovalState,
  { confirming, approval }: Extract<RemovalEvent, { type: 'put' }>,
): Step => [{ ...state, phase: { at: 'review', confirming, approval } }]

const table: Table<RemovalState, RemovalEvent, RemovalEffect> = {
  beginning: {
    begin: put,
    put: (state, event) => [...review(state, event), { type: 'show' }],
  },
  review: {
    'approval changed': (state, { confirming, approval }, phase) => [
      phase.confirming === confirming ? { ...state, phase: { ...phase, approval } } : state,
    ],
    approved: (state, { confirming, confirmed }, phase) =>
      phase.confirming === confirming
        ? [
            { ...state, phase: { at: 'removing' } },
            { type: 'remove', confirmed },
          ]
        : [state],
    'not approved'(state, { confirming, cause }, phase) {
      if (phase.confirming !== confirming) return [state]
      if (isRefusal(cause)) return [state, { type: 'leave' }]
      return [{ phase: { at: 'stopped' }, problem: enrolProblemOf(cause) }]
    },
  },
  removing: {
    'not removed': (state, { cause }) => put({ ...state, problem: enrolProblemOf(cause) }),
    put: review,
  },
  stopped: { again: put, put: review },
}

export const removalStep = stepBy(table)
