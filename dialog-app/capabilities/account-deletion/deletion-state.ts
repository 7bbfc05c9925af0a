/**
 * How far the deletion of an account is, as a machine: its user reads what is lost, and approves it. Once it was
 * approved, the server alone says what became of it.
 */
import { toLatchkeyError } from '@latchkey/protocol'
import type { PendingConfirmation, ShownApproval } from '../../approval/confirmed.ts'
import { isRefusal } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { DeletionProblem } from './account-deletion-screen.tsx'

export type DeletionPhase =
  | { at: 'reading' }
  | { at: 'review'; confirming: PendingConfirmation; approval: ShownApproval }
  | { at: 'deleting' }
  /** It was not approved, so nothing of it was done. */
  | { at: 'stopped' }
  | { at: 'deleted' }

export type DeletionState = {
  phase: DeletionPhase
  /** Why the last try deleted nothing. It is said until another one does. */
  problem: DeletionProblem | undefined
}

export type DeletionEvent =
  | { type: 'go on' }
  | { type: 'put'; confirming: PendingConfirmation; approval: ShownApproval }
  | {
      type: 'approval changed'
      confirming: PendingConfirmation
      approval: ShownApproval
    }
  | { type: 'approved'; confirming: PendingConfirmation; confirmed: ConfirmedRequest }
  | { type: 'not approved'; confirming: PendingConfirmation; cause: unknown }
  | { type: 'deleted' }
  | { type: 'not deleted'; cause: unknown }

export type DeletionEffect =
  | { type: 'put' }
  | { type: 'delete'; confirmed: ConfirmedRequest }
  /** The account stays. */
  | { type: 'end' }

type Step = Next<DeletionState, DeletionEffect>

export const undeleted: DeletionState = { phase: { at: 'reading' }, problem: undefined }

const put = (state: DeletionState): Step => [state, { type: 'put' }]
const review = (
  state: DeletionState,
  { confirming, approval }: Extract<DeletionEvent, { type: 'put' }>,
): Step => [{ ...state, phase: { at: 'review', confirming, approval } }]

const table: Table<DeletionState, DeletionEvent, DeletionEffect> = {
  reading: { 'go on': put, put: review },
  review: {
    'approval changed': (state, { confirming, approval }, phase) => [
      phase.confirming === confirming ? { ...state, phase: { ...phase, approval } } : state,
    ],
    approved: (state, { confirming, confirmed }, phase) =>
      phase.confirming === confirming
        ? [
            { ...state, phase: { at: 'deleting' } },
            { type: 'delete', confirmed },
          ]
        : [state],
    'not approved'(state, { confirming, cause }, phase) {
      if (phase.confirming !== confirming) return [state]
      if (isRefusal(cause)) return [state, { type: 'end' }]
      return [{ phase: { at: 'stopped' }, problem: problemOf(cause) }]
    },
  },
  deleting: {
    deleted: () => [{ phase: { at: 'deleted' }, problem: undefined }],
    'not deleted': (state, { cause }) => put({ ...state, problem: problemOf(cause) }),
    put: review,
  },
  stopped: { 'go on': put, put: review },
  deleted: {},
}

export const deletionStep = stepBy(table)

const problemOf = (cause: unknown): DeletionProblem =>
  verificationProblem(toLatchkeyError(cause, 'error', 'The account was not deleted')) ?? 'other'
