/** The reason for a failed verification, as a screen shows it. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { isMfaCanceled } from '@latchkey/protocol/wallet'

export type VerificationProblem = 'maxAttempts' | 'timeLimit' | 'canceled'

const byCode: { [code in ErrorCode]?: VerificationProblem } = {
  mfa_verification_max_attempts_reached: 'maxAttempts',
  mfa_timeout: 'timeLimit',
}

export const verificationProblem = ({ code, message }: LatchkeyError): VerificationProblem | undefined =>
  isMfaCanceled(message) ? 'canceled' : byCode[code]
