/**
 * The errors for dapps, with codes from EIP-1193, EIP-1474 and
 * https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes.
 */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'

export type Refusal = { code: number; message: string }

export const refusals = {
  rejectedProposal: { code: 5000, message: 'User rejected.' },
  chains: { code: 5100, message: 'Unsupported chains.' },
  methods: { code: 5101, message: 'Unsupported methods.' },
  events: { code: 5102, message: 'Unsupported events.' },
  namespaces: { code: 5104, message: 'Unsupported namespace key.' },
  disconnected: { code: 6000, message: 'User disconnected.' },
  expired: { code: 8000, message: 'Session request expired.' },
  rejected: { code: 4001, message: 'User rejected the request.' },
  unauthorized: { code: 4100, message: 'The account is not available.' },
  method: { code: 4200, message: 'The wallet does not support this method.' },
  chain: { code: 4901, message: 'The wallet is not on this chain.' },
  unknownChain: { code: 4902, message: 'Unrecognized chain ID.' },
  params: { code: -32_602, message: 'Invalid parameters were provided to the RPC method.' },
  busy: { code: -32_005, message: 'Too many requests wait for the user.' },
  failed: { code: -32_603, message: 'The wallet could not answer.' },
} as const satisfies { [name: string]: Refusal }

const byCode: { [code in ErrorCode]?: Refusal } = {
  user_rejected_request: refusals.rejected,
  must_be_authenticated: refusals.unauthorized,
  embedded_wallet_not_found: refusals.unauthorized,
  unsupported_chain_id: refusals.chain,
  method_not_found: refusals.method,
  not_supported: refusals.method,
  invalid_data: refusals.params,
  invalid_message: refusals.params,
  invalid_request_arguments: refusals.params,
  too_many_requests: refusals.busy,
  client_request_timeout: refusals.expired,
}

/** Returns the error for the dapp. The wallet's own message is not disclosed. */
export const refusalOf = (error: unknown): Refusal =>
  (error instanceof LatchkeyError && byCode[error.code]) || refusals.failed
