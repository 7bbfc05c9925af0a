/** The calls about changes that need two operators. */
import type {
  ApplyProposalAnswer,
  ApproveProposalAnswer,
  CancelProposalAnswer,
  CreateProposalAnswer,
  CreateProposalBody,
  GetProposalAnswer,
  ListProposalsQuery,
} from './contract.ts'
import type { CallName, CallOptions, createRequest, Input } from './request.ts'

export type Proposal = GetProposalAnswer

type Calls = Pick<ReturnType<typeof createRequest>, 'request'> & {
  items: (name: CallName, input: Input) => AsyncGenerator<Proposal>
}

export function createProposalCalls({ request, items }: Calls) {
  const decide = async <Answer extends Proposal>(
    name: CallName,
    app: string,
    proposal: string,
    options?: CallOptions,
  ) => (await request<Answer>(name, { params: { app, proposal }, options })).body

  return {
    /** Iterates over the proposals of an app, newest first. */
    list(app: string, filter?: Pick<ListProposalsQuery, 'limit'>, call?: CallOptions) {
      return items('listProposals', { params: { app }, query: filter, options: call })
    },

    /** Proposes settings that widen approvals, logins or origins, or a requester. */
    async create(app: string, body: CreateProposalBody, call?: CallOptions): Promise<Proposal> {
      const input = { params: { app }, body, options: call }
      return (await request<CreateProposalAnswer>('createProposal', input)).body
    },

    async get(app: string, proposal: string, call?: CallOptions): Promise<Proposal> {
      return (await request<GetProposalAnswer>('getProposal', { params: { app, proposal }, options: call }))
        .body
    },

    /** Approves the proposal of another operator. It can be applied 24 hours later. */
    approve: (app: string, proposal: string, call?: CallOptions) =>
      decide<ApproveProposalAnswer>('approveProposal', app, proposal, call),

    /** Cancels a proposal that is not applied yet. */
    cancel: (app: string, proposal: string, call?: CallOptions) =>
      decide<CancelProposalAnswer>('cancelProposal', app, proposal, call),

    /** Applies an approved proposal after its waiting time. */
    apply: (app: string, proposal: string, call?: CallOptions) =>
      decide<ApplyProposalAnswer>('applyProposal', app, proposal, call),
  }
}
