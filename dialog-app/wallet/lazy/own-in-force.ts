/** A wallet that was there already when its user had chosen how it is to be kept: made in another tab, or by a call whose answer was lost. */
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { canBeGivenAgain, type OwnRecovery } from '../own-recovery.ts'

/** What says that this does not keep the wallet, or leaves it open. */
const isNotKept: ReadonlySet<ErrorCode> = new Set([
  'invalid_recovery_pin',
  'disallowed_recovery_method',
  'missing_or_invalid_mfa',
  'too_many_requests',
])

/** What was chosen is in force where it brings the wallet back. What was used up shows nothing any more. */
export async function requireInForce(
  own: OwnRecovery,
  recover: (own: OwnRecovery) => Promise<void>,
): Promise<void> {
  if (!canBeGivenAgain(own)) throw keptOtherwise()
  try {
    await recover(own)
  } catch (cause) {
    throw isNotKept.has(toLatchkeyError(cause, 'error', '').code) ? keptOtherwise(cause) : cause
  }
}

const keptOtherwise = (cause?: unknown) =>
  new LatchkeyError(
    'embedded_wallet_recovery_already_exists',
    'The wallet was made already, and is kept otherwise',
    {
      cause,
    },
  )
