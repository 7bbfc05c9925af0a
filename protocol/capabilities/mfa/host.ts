/** Multi-factor verification: methods are added and removed, and answers brought by a page that asks for them itself. */
import * as v from 'valibot'
import { mfaMethodTypes } from '../../entities/user.ts'
import type { ErrorCode } from '../../errors/error-codes.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { lenientUser } from '../../rows/lenient.ts'

const method = v.picklist(mfaMethodTypes)
const text = v.string()
const whose = v.object({ user: lenientUser })
const nothing = v.object({})

export const mfaCalls = {
  showMfaEnrollment: { policy: 'needs-user', input: nothing },
  enrollMfa: { policy: 'needs-user', input: v.object({ method }) },
  unenrollMfa: { policy: 'needs-user', input: v.object({ method }) },
  closeMfaEnrollment: { policy: 'headless', input: nothing },
  // Which methods there are has an error of its own.
  initMfa: { policy: 'headless', input: v.object({ method: v.unknown() }) },
  submitMfa: { policy: 'headless', input: v.object({ method: v.unknown(), answer: v.unknown() }) },
  cancelMfa: { policy: 'headless', input: nothing },
} as const satisfies HostCallRows

export const mfaAnswers = {
  showMfaEnrollment: whose,
  enrollMfa: whose,
  unenrollMfa: whose,
  closeMfaEnrollment: nothing,
  initMfa: v.looseObject({
    relyingParty: v.exactOptional(text),
    options: v.exactOptional(v.looseObject({})),
  }),
  submitMfa: nothing,
  cancelMfa: nothing,
} as const

/** A page that set `mfa.noPromptOnMfaRequired` is told that a call waits for one of these. */
export const mfaEvents = { mfaRequired: v.object({ methods: v.array(text) }) } as const

const ofUser = ['must_be_authenticated', 'not_supported'] as const satisfies readonly ErrorCode[]
const ofVerification = ['unknown_mfa_error', 'invalid_data'] as const satisfies readonly ErrorCode[]

export const mfaDoc: HostCallDoc<typeof mfaCalls> = {
  showMfaEnrollment: {
    summary:
      'Opens the dialog where the user adds and removes methods of verification. Answers with the user as they are when it is closed.',
    errors: ofUser,
  },
  enrollMfa: {
    summary: 'Likewise, at the first screen of one method. Its secrets and codes are never said to the page.',
    errors: ofUser,
  },
  unenrollMfa: { summary: 'Likewise, where the user confirms that one method is removed.', errors: ofUser },
  closeMfaEnrollment: { summary: 'Closes what these have opened.', errors: [] },
  initMfa: {
    summary:
      'For a page that asks for verifications itself (`mfa.noPromptOnMfaRequired`), after `mfaRequired`: sends the code of `sms`, or answers with the challenge of `passkey`.',
    errors: [...ofVerification, 'too_many_requests', 'twilio_verification_failed', 'user_unsubscribed'],
  },
  submitMfa: {
    summary:
      'The answer: six digits, or what an authenticator answered, as an object. A wrong one can be tried again, four times in all; the call that waits ends with what it was answered.',
    errors: [...ofVerification, 'missing_or_invalid_mfa', 'mfa_verification_max_attempts_reached'],
  },
  cancelMfa: { summary: 'The call that waits ends with `missing_or_invalid_mfa`.', errors: [] },
}
