/** Maps errors of a wallet connection to the problems that its screen explains. */
import type { ErrorTable } from '../../contract/error-table.ts'

export type WalletProblem = 'userExists' | 'timedOut' | 'rejected' | 'pending' | 'unknownChain' | 'generic'

export const problems: ErrorTable<WalletProblem> = {
  byCode: {
    linked_to_another_user: 'userExists',
    client_request_timeout: 'timedOut',
    user_rejected_request: 'rejected',
    wallet_request_pending: 'pending',
    unsupported_chain_id: 'unknownChain',
  },
  other: 'generic',
}
