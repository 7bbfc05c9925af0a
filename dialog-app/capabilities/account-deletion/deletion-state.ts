/**
 * How far the deletion of an account is, as a machine: its user reads what is lost, and approves it. Once it was
 * approved, the server alone says what became of it.
 */
import { toLatchkeyError } from '@latchkey/protocol'
import type { Confirming, ShownApproval } from '../../approval/confirmed.ts'
import { isRefusal } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { Confirmed } from '../../wallet/confirmed.ts'
import type { DeletionProblem } from './account-deletion-screen.tsx'

export type DeletionPhase =
  | { readonly at: 'reading' }
  | { readonly at: 'review'; readonly confirming: Confirming; readonly approval: ShownApproval }
  | { readonly at: 'deleting' }
  /** It was not approved, so nothing of it was done. */
  | { readonly at: 'stopped' }
  | { readonly at: 'deleted' }

export type DeletionState = {
  readonly phase: DeletionPhase
  /** Why the last try deleted nothing. It is said until another one does. */
  readonly problem: DeletionProblem | undefined
}

export type DeletionEvent =
  | { readonly type: 'go on' }
  | { readonly type: 'put'; readonly confirming: Confirming; readonly approval: ShownApproval }
  | {
      readonly type: 'approval changed'
      readonly confirming: Confirming
      readonly approval: ShownApproval
    }
  | { readonly type: 'approved'; readonly confirming: Confirming; readonly confirmed: Confirmed }
  | { readonly type: 'not approved'; readonly confirming: Confirming; readonly cause: unknown }
  | { readonly type: 'deleted' }
  | { readonly type: 'not deleted'; readonly cause: unknown }

export type DeletionEffect =
  | { readonly type: 'put' }
  | { readonly type: 'delete'; readonly confirmed: Confirmed }
  /** The account stays. */
  | { readonly type: 'end' }

type Step = Next<DeletionState, DeletionEffect>

export const undeleted: DeletionState = { phase: { at: 'reading' }, problem: undefined }

const put = (state: DeletionState): Step => [state, { type: 'put' }]
const review = (
  state: DeletionState,
  { confirming, approval }: Extract<DeletionEvent, { readonly type: 'put' }>,
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
