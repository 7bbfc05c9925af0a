/** What came between somebody and their wallet, of any error: the table of the specification. */
import type { ErrorCode } from '@latchkey/protocol'

export type WalletProblem = 'userExists' | 'timedOut' | 'rejected' | 'generic'

const problems: { readonly [code in ErrorCode]?: WalletProblem } = {
  linked_to_another_user: 'userExists',
  client_request_timeout: 'timedOut',
  user_rejected_request: 'rejected',
}

export const walletProblem = (code: ErrorCode): WalletProblem => problems[code] ?? 'generic'
