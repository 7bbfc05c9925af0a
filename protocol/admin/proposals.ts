import * as v from 'valibot'
import { id, text } from '../entities/primitives.ts'
import { appSettings } from './apps.ts'
import { limitInQuery, time } from './fields.ts'
import { adminLimits } from './limits.ts'
import type { AdminRoutes } from './route.ts'

export const proposalStates = ['proposed', 'approved', 'applied', 'cancelled', 'expired'] as const
export type ProposalState = (typeof proposalStates)[number]

const decision = v.object({ operator: text, at: time })

/** The registration of an app that may ask users of this one for their wallets. */
const requester = v.object({
  clientId: text,
  name: text,
  origin: text,
  redirectAddresses: v.array(text),
  /** The public key as a JWK. */
  jwk: v.exactOptional(v.nullable(v.record(v.string(), v.unknown()))),
})

const proposal = v.object({
  id,
  appId: text,
  state: v.picklist(proposalStates),
  settings: v.nullable(appSettings),
  requester: v.nullable(requester),
  /** The values that the change replaces. If one of them changes, the proposal cannot be applied. */
  replaces: v.object({ settings: appSettings, requester: v.nullable(requester) }),
  /** The settings that give more rights. */
  widens: v.array(text),
  note: v.nullable(text),
  proposed: decision,
  approved: v.nullable(decision),
  /** The end of the waiting time. */
  appliesFrom: v.nullable(time),
  expiresAt: time,
  /** The application or cancellation, with its operator. */
  ended: v.nullable(decision),
})
export type AdminProposal = v.InferOutput<typeof proposal>

const read = { scopes: ['apps:read'], effect: 'reads', method: 'GET', status: 200 } as const
const change = { effect: 'changes', method: 'POST', status: 200, output: proposal } as const
const either = ['approvals:propose', 'approvals:agree'] as const
const ofProposal = [
  'app_not_found',
  'proposal_not_found',
  'proposal_not_open',
  'operator_required',
  'idempotency_key_reused',
] as const

export const adminProposalRoutes = {
  listProposals: {
    ...read,
    path: '/apps/{app}/proposals',
    summary: 'lists the proposals of an app, newest first',
    query: v.object({ after: v.exactOptional(text), limit: v.exactOptional(limitInQuery) }),
    output: v.object({ data: v.array(proposal), next: v.nullable(text) }),
    errors: ['app_not_found'],
  },
  createProposal: {
    ...change,
    path: '/apps/{app}/proposals',
    scopes: ['approvals:propose'],
    status: 201,
    summary: 'proposes settings that widen approvals, logins or origins, or a requester',
    body: v.object({
      settings: v.exactOptional(appSettings),
      requester: v.exactOptional(requester),
      note: v.exactOptional(
        v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(adminLimits.maxReasonLength)),
      ),
    }),
    errors: [
      'app_not_found',
      'operator_required',
      'nothing_to_approve',
      'too_many_proposals',
      'not_supported',
      'idempotency_key_reused',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
  getProposal: {
    ...read,
    path: '/apps/{app}/proposals/{proposal}',
    summary: 'returns a proposal',
    output: proposal,
    errors: ['app_not_found', 'proposal_not_found'],
  },
  approveProposal: {
    ...change,
    path: '/apps/{app}/proposals/{proposal}/approve',
    scopes: ['approvals:agree'],
    needsConfirmation: true,
    summary: 'approves the proposal of another operator. It can be applied 24 hours later',
    errors: [...ofProposal, 'same_operator', 'proposal_outdated'],
  },
  cancelProposal: {
    ...change,
    path: '/apps/{app}/proposals/{proposal}/cancel',
    scopes: either,
    summary: 'cancels a proposal that is not applied yet',
    errors: ofProposal,
  },
  applyProposal: {
    ...change,
    path: '/apps/{app}/proposals/{proposal}/apply',
    scopes: either,
    needsConfirmation: true,
    summary: 'applies an approved proposal after its waiting time',
    errors: [...ofProposal, 'proposal_waiting', 'proposal_outdated', 'not_supported'],
  },
} as const satisfies AdminRoutes
