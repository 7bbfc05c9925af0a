/** Maps our errors to provider errors: https://eips.ethereum.org/EIPS/eip-1193#provider-errors and EIP-1474. */
import type { ErrorCode } from '@latchkey/protocol'

/** Messages of the standards, for errors without one. */
const defaultMessages: Readonly<Record<number, string>> = {
  4001: 'The user rejected the request',
  4100: 'The requested method or account has not been authorized by the user',
  4200: 'The provider does not support the requested method',
  4900: 'The provider is disconnected from all chains',
  4901: 'The provider is not connected to the requested chain',
  4902: 'Unrecognized chain id',
  [-32_700]: 'Parse error',
  [-32_600]: 'Invalid request',
  [-32_601]: 'Method not found',
  [-32_602]: 'Invalid params',
  [-32_603]: 'Internal error',
  [-32_000]: 'Invalid input',
  [-32_001]: 'Resource not found',
  [-32_002]: 'Resource unavailable',
  [-32_003]: 'Transaction rejected',
  [-32_004]: 'Method not supported',
  [-32_005]: 'Limit exceeded',
  [-32_006]: 'JSON-RPC version not supported',
}

const internal = -32_603
const codes: Readonly<Record<number, readonly ErrorCode[]>> = {
  4001: [
    'user_rejected_request',
    'exited_auth_flow',
    'exited_link_flow',
    'user_exited_set_password_flow',
    'oauth_user_denied',
  ],
  4100: [
    'must_be_authenticated',
    'embedded_wallet_not_found',
    'allowlist_rejected',
    'max_accounts_reached',
    'user_does_not_exist',
    'disallowed_login_method',
    'linked_account_not_found',
    'cross_app_connection_not_allowed',
    'missing_or_invalid_token',
  ],
  4200: ['not_supported'],
  4900: [
    'server_unreachable',
    'frame_unresponsive',
    'frame_reloaded',
    'channel_closed',
    'client_destroyed',
    'host_blocks_frame',
    'origin_not_allowed',
    'missing_or_invalid_latchkey_app_id',
    'session_storage_unavailable',
  ],
  4901: ['unsupported_chain_id'],
  [-32_601]: ['method_not_found'],
  [-32_602]: ['invalid_data', 'invalid_message', 'invalid_message_envelope'],
  [-32_002]: ['call_timeout', 'call_cancelled', 'client_request_timeout'],
  [-32_003]: [
    'insufficient_funds',
    'transaction_failure',
    'approval_required_elsewhere',
    'unable_to_sign',
    'not_visible',
  ],
  // By our server, or by an RPC node.
  [-32_005]: ['too_many_requests', 'message_too_large'],
}
const providerCodes: ReadonlyMap<unknown, number> = new Map(
  Object.entries(codes).flatMap(([code, ours]) => ours.map((each) => [each, Number(code)] as const)),
)

/** The message of a closed MFA prompt, which has the same code as a wrong answer. */
const mfaCanceled = 'MFA canceled'

export class ProviderError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly data?: unknown

  constructor(code: number, message?: string, { data, cause }: { data?: unknown; cause?: unknown } = {}) {
    super(message || defaultMessages[code] || 'Internal error', cause === undefined ? undefined : { cause })
    this.code = code
    if (data !== undefined) this.data = data
  }
}

/** Converts an error. Errors of the first file have another class, so they are recognized by their code. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const { code: ours, message } = Object(error)
  const closed = ours === 'missing_or_invalid_mfa' && message === mfaCanceled
  const code = closed ? 4001 : (providerCodes.get(ours) ?? internal)
  // All user rejections have the same message.
  return new ProviderError(code, code === 4001 ? undefined : message, { cause: error })
}
