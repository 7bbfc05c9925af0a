import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { verificationProblem } from './verification-problem.ts'

// spec W8.3
test.each([
  ['error', 'MFA canceled', 'canceled'],
  ['missing_or_invalid_mfa', 'MFA canceled', 'canceled'],
  ['missing_or_invalid_mfa', 'MFA verification failed, retry.', undefined],
  ['mfa_timeout', 'Timed out waiting for MFA code', 'timeLimit'],
  ['mfa_verification_max_attempts_reached', 'Too many verification attempts.', 'maxAttempts'],
] as const)('%s with "%s" is shown as %s', (code, message, problem) => {
  expect(verificationProblem(new LatchkeyError(code, message))).toBe(problem)
})
