/** What a wallet says against something, as a code of ours. */
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
 * EIP-1193's and EIP-1474's, and those of https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes: whoever ends a session
 * that something is asked in has refused it.
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
/** How a proposal and a request say that they are over. */
const expired = /expired/i

export function refusalOf(error: unknown): LatchkeyError {
  if (error instanceof LatchkeyError) return error
  const said = v.safeParse(walletError, error)
  const refusal = said.success ? refusals[said.output.code] : undefined
  if (refusal) return refusal(error)
  const isExpired = said.success
    ? expired.test(said.output.message)
    : error instanceof Error && expired.test(error.message)
  return isExpired ? tooLate(error) : failure('The wallet failed', error)
}
