/**
 * Which errors cross to the dialog: those that the contract lists for every call and for this one. Any other one
 * is `error`, with its code in the details for a developer.
 */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { commonWalletErrors, type WalletFrameCalls, walletCallErrors } from '@latchkey/protocol/wallet'

export type WalletCall = keyof WalletFrameCalls

export function walletError(call: WalletCall, error: unknown): LatchkeyError {
  if (!(error instanceof LatchkeyError)) {
    return new LatchkeyError('error', 'The wallet could not do this', { cause: error })
  }
  const { code, message, retryAfterSeconds } = error
  const listed: readonly ErrorCode[] = [...commonWalletErrors, ...walletCallErrors[call]]
  if (listed.includes(code)) return error
  return new LatchkeyError('error', message, { details: { code }, retryAfterSeconds, cause: error })
}
