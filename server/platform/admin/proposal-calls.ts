/** Calls about changes that need two operators. */
import { adminLimits, adminProposalRoutes } from '@latchkey/protocol/admin'
import type { ServerContext } from '../../kernel/context.ts'
import {
  type AdminCaller,
  type AdminEndpoint,
  AdminError,
  adminChange,
  adminRead,
} from '../../kernel/http/admin-endpoint.ts'
import { digestObject } from './calls.ts'
import { formatPosition, parsePosition, toPage } from './pages.ts'
import {
  apply,
  approve,
  cancel,
  type Decider,
  describeProposal,
  findProposal,
  type ProposalSources,
  proposalNotFound,
  propose,
  readProposalsPage,
} from './proposals.ts'
import type { ProposalRow } from './tables.ts'

function toDecider({ id, operator }: AdminCaller): Decider {
  if (operator === null)
    throw new AdminError('operator_required', 'Use a key that was created with --operator')
  return { callerId: id, operator }
}

const toSources = ({ clock, config, capabilities }: ServerContext): ProposalSources => ({
  clock,
  support: { unbuiltSettings: capabilities.unbuiltSettings, ownOrigins: config.ownOrigins },
})

function toAnswer(row: ProposalRow, { clock }: ServerContext) {
  const output = describeProposal(row, clock)
  return { output, digest: digestObject(output) }
}

const decisions = [
  [adminProposalRoutes.approveProposal, approve],
  [adminProposalRoutes.cancelProposal, cancel],
  [adminProposalRoutes.applyProposal, apply],
] as const

export const proposalEndpoints: AdminEndpoint[] = [
  adminRead(adminProposalRoutes.listProposals, async ({ appId, query }, { db, clock }) => {
    const { after, limit = adminLimits.defaultPerPage } = query
    const rows = await readProposalsPage(db, appId, parsePosition(after), limit + 1)
    const { page, next } = toPage(rows, limit, ({ proposed_at: at, id }) => formatPosition({ at, id }))
    return { output: { data: page.map((row) => describeProposal(row, clock)), next } }
  }),

  adminRead(adminProposalRoutes.getProposal, async ({ appId, params }, { db, clock }) => {
    const { proposal: id = '' } = params
    const row = await findProposal(db, { appId, id })
    if (row === undefined) throw proposalNotFound(id)
    return { output: describeProposal(row, clock) }
  }),

  adminChange(adminProposalRoutes.createProposal, async (trx, { caller, appId, body }, context) =>
    toAnswer(await propose(trx, toSources(context), appId, body, toDecider(caller)), context),
  ),

  ...decisions.map(([route, decide]) =>
    adminChange(route, async (trx, { caller, appId, params }, context) => {
      const key = { appId, id: params.proposal ?? '' }
      return toAnswer(await decide(trx, toSources(context), key, toDecider(caller)), context)
    }),
  ),
]
