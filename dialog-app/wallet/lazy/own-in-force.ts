/**
 * Handles a wallet that already existed when the user chose a recovery method: created in another tab, or by a call
 * with a lost answer.
 */
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { isReusable, type OwnRecovery } from '../own-recovery.ts'

/** Errors that mean that the chosen recovery does not open the wallet, or that this is undecided. */
const mismatchCodes: ReadonlySet<ErrorCode> = new Set([
  'invalid_recovery_pin',
  'disallowed_recovery_method',
  'missing_or_invalid_mfa',
  'too_many_requests',
])

/** Resolves if the chosen recovery opens the wallet. A single-use recovery can no longer prove that. */
export async function requireInForce(
  own: OwnRecovery,
  recover: (own: OwnRecovery) => Promise<void>,
): Promise<void> {
  if (!isReusable(own)) throw alreadyExists()
  try {
    await recover(own)
  } catch (cause) {
    throw mismatchCodes.has(toLatchkeyError(cause, 'error', '').code) ? alreadyExists(cause) : cause
  }
}

const alreadyExists = (cause?: unknown) =>
  new LatchkeyError(
    'embedded_wallet_recovery_already_exists',
    'The wallet already exists with another recovery method',
    {
      cause,
    },
  )
