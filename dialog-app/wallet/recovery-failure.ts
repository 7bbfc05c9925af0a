import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'

/** An automatic recovery that failed to restore the wallet in this browser. */
export class RecoveryFailure extends LatchkeyError {
  constructor(cause: unknown) {
    const { code } = toLatchkeyError(cause, 'error', '')
    super('unknown_embedded_wallet_error', 'Unable to recover wallet', { cause, details: { cause: code } })
  }
}
