/**
 * How far the user's passkeys are on their way to verify, as a machine: the user approves those that there are, or makes
 * one more.
 */
import type { Approval } from '../../../approval/approval.ts'
import type { Gate } from '../../../approval/gate.ts'
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import { type EnrolProblem, enrolProblemOf } from '../problem.ts'

export type EnrolPasskeysPhase =
  | { at: 'beginning' }
  /** Whoever has passkeys says that these are to verify them. */
  | { at: 'review'; approval: Approval; gate: Gate }
  | { at: 'adding' }
  | { at: 'enabling' }

export type EnrolPasskeysState = {
  phase: EnrolPasskeysPhase
  problem: EnrolProblem | undefined
}

type OfApproval = { approval: Approval; gate: Gate }
export type EnrolPasskeysEvent =
  | { type: 'begin' }
  | ({ type: 'put' } & OfApproval)
  | ({ type: 'gate changed' } & OfApproval)
  | { type: 'approved'; approval: Approval }
  | { type: 'add' }
  | { type: 'added' }
  | { type: 'failed'; cause: unknown }

export type EnrolPasskeysEffect = { type: 'put' } | { type: 'show' } | { type: 'add' } | { type: 'enable' }

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
  failed: (state: EnrolPasskeysState, { cause }: { cause: unknown }): Step => [
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
