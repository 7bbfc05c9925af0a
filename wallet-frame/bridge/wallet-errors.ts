/**
 * Which errors cross to the dialog: the types of the wallet frame, and those that the contract lists for a call.
 * Every other one is `error`, with its code in the details for a developer.
 */
import { type ErrorCode, LatchkeyError, shareErrorCodes, walletErrorTypes } from '@latchkey/protocol'
import { type WalletContract, walletContract } from '@latchkey/protocol/wallet'

export type WalletCall = keyof WalletContract['child']

const common: ReadonlySet<ErrorCode> = new Set([...walletErrorTypes, ...shareErrorCodes])

export function walletError(call: WalletCall, error: unknown): LatchkeyError {
  if (!(error instanceof LatchkeyError)) {
    return new LatchkeyError('error', 'The wallet could not do this', { cause: error })
  }
  const { errors }: { readonly errors: readonly ErrorCode[] } = walletContract.child[call]
  if (common.has(error.code) || errors.includes(error.code)) return error
  return new LatchkeyError('error', error.message, { details: { code: error.code }, cause: error })
}
