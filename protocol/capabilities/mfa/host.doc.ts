import type { ErrorCode } from '../../errors/error-codes.ts'
import type { MoreDoc } from '../../rows/host-call.ts'
import type { mfaCalls } from './host.ts'

const ofUser = ['must_be_authenticated', 'not_supported'] as const satisfies readonly ErrorCode[]
const ofVerification = ['unknown_mfa_error', 'invalid_data'] as const satisfies readonly ErrorCode[]

export const mfaDoc: MoreDoc<typeof mfaCalls> = {
  showMfaEnrollment: {
    says: 'Opens the dialog where the user adds and removes methods of verification. Answers with the user as they are when it is closed.',
    errors: ofUser,
  },
  enrollMfa: {
    says: 'Likewise, at the first screen of one method. Its secrets and codes are never said to the page.',
    errors: ofUser,
  },
  unenrollMfa: { says: 'Likewise, where the user confirms that one method is removed.', errors: ofUser },
  closeMfaEnrollment: { says: 'Closes what these have opened.', errors: [] },
  initMfa: {
    says: 'For a page that asks for verifications itself (`mfa.noPromptOnMfaRequired`), after `mfaRequired`: sends the code of `sms`, or answers with the challenge of `passkey`.',
    errors: [...ofVerification, 'too_many_requests', 'twilio_verification_failed', 'user_unsubscribed'],
  },
  submitMfa: {
    says: 'The answer: six digits, or what an authenticator answered, as an object. A wrong one can be tried again, four times in all; the call that waits ends with what it was answered.',
    errors: [...ofVerification, 'missing_or_invalid_mfa', 'mfa_verification_max_attempts_reached'],
  },
  cancelMfa: { says: 'The call that waits ends with `missing_or_invalid_mfa`.', errors: [] },
}
