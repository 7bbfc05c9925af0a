/** Maps WalletConnect errors to Latchkey error codes. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'

const walletError = v.object({ code: v.number(), message: v.optional(v.string(), '') })

export const failure = (message: string, cause?: unknown) =>
  new LatchkeyError('generic_connect_wallet_error', message, { cause })

export const tooLate = (cause?: unknown) =>
  new LatchkeyError('client_request_timeout', 'The wallet did not answer in time', { cause })

export const unknownChain = (cause?: unknown) =>
  new LatchkeyError('unsupported_chain_id', 'The wallet does not know this chain', { cause })

const rejected = (cause: unknown) =>
  new LatchkeyError('user_rejected_request', 'The user of the wallet refused', { cause })

const pending = (cause: unknown) =>
  new LatchkeyError('wallet_request_pending', 'An earlier request is open in the wallet', { cause })

/**
 * Error codes of EIP-1193, EIP-1474 and https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes. Ending
 * the session (6000) rejects its pending requests.
 */
const refusals: Readonly<Record<number, (cause: unknown) => LatchkeyError>> = {
  4001: rejected,
  4902: unknownChain,
  5000: rejected,
  5001: rejected,
  5002: rejected,
  5100: unknownChain,
  6000: rejected,
  [-32002]: pending,
}
/** Matches the error messages of expired proposals and requests. */
const expired = /expired/i

export function refusalOf(error: unknown): LatchkeyError {
  if (error instanceof LatchkeyError) return error
  const parsed = v.safeParse(walletError, error)
  const refusal = parsed.success ? refusals[parsed.output.code] : undefined
  if (refusal) return refusal(error)
  const isExpired = parsed.success
    ? expired.test(parsed.output.message)
    : error instanceof Error && expired.test(error.message)
  return isExpired ? tooLate(error) : failure('The wallet failed', error)
}
