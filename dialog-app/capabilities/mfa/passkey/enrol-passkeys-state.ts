/**
 * How far the user's passkeys are on their way to verify, as a machine: the user approves those that there are, or makes
 * one more.
 */
import type { Approval } from '../../../approval/approval.ts'
import type { Gate } from '../../../approval/gate.ts'
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import { type EnrolProblem, enrolProblemOf } from '../problem.ts'

export type EnrolPasskeysPhase =
  | { readonly at: 'beginning' }
  /** Whoever has passkeys says that these are to verify them. */
  | { readonly at: 'review'; readonly approval: Approval; readonly gate: Gate }
  | { readonly at: 'adding' }
  | { readonly at: 'enabling' }

export type EnrolPasskeysState = {
  readonly phase: EnrolPasskeysPhase
  readonly problem: EnrolProblem | undefined
}

type OfApproval = { readonly approval: Approval; readonly gate: Gate }
export type EnrolPasskeysEvent =
  | { readonly type: 'begin' }
  | ({ readonly type: 'put' } & OfApproval)
  | ({ readonly type: 'gate changed' } & OfApproval)
  | { readonly type: 'approved'; readonly approval: Approval }
  | { readonly type: 'add' }
  | { readonly type: 'added' }
  | { readonly type: 'failed'; readonly cause: unknown }

export type EnrolPasskeysEffect =
  | { readonly type: 'put' }
  | { readonly type: 'show' }
  | { readonly type: 'add' }
  | { readonly type: 'enable' }

type Step = Next<EnrolPasskeysState, EnrolPasskeysEffect>

export const unprotected: EnrolPasskeysState = { phase: { at: 'beginning' }, problem: undefined }

const review = (state: EnrolPasskeysState, { approval, gate }: OfApproval): Step => [
  { ...state, phase: { at: 'review', approval, gate } },
]
const enable = (state: EnrolPasskeysState): Step => [
  { ...state, phase: { at: 'enabling' } },
  { type: 'enable' },
]
/** What fails is said, and the approval is asked for anew. */
const underWay = {
  failed: (state: EnrolPasskeysState, { cause }: { readonly cause: unknown }): Step => [
    { ...state, problem: enrolProblemOf(cause) },
    { type: 'put' },
  ],
  put: review,
}

const table: Table<EnrolPasskeysState, EnrolPasskeysEvent, EnrolPasskeysEffect> = {
  beginning: {
    begin: (state) => [state, { type: 'put' }],
    put: (state, event) => [...review(state, event), { type: 'show' }],
  },
  review: {
    'gate changed': (state, { approval, gate }, phase) => [
      approval === phase.approval ? { ...state, phase: { ...phase, gate } } : state,
    ],
    approved: (state, { approval }, phase) => (approval === phase.approval ? enable(state) : [state]),
    add: () => [{ phase: { at: 'adding' }, problem: undefined }, { type: 'add' }],
  },
  adding: { ...underWay, added: enable },
  enabling: underWay,
}

export const enrolPasskeysStep = stepBy(table)
