/** How a verification ended that came to nothing: what a screen says of it, whatever it was for. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'

export type VerificationProblem = 'maxAttempts' | 'timeLimit' | 'canceled'

const byCode: { readonly [code in ErrorCode]?: VerificationProblem } = {
  mfa_verification_max_attempts_reached: 'maxAttempts',
  mfa_timeout: 'timeLimit',
}
export const canceledMessage = 'MFA canceled'

export const verificationProblem = ({ code, message }: LatchkeyError): VerificationProblem | undefined =>
  code === 'missing_or_invalid_mfa' && message === canceledMessage ? 'canceled' : byCode[code]
