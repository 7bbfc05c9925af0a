/** Calls for a host page that manages second factors, or prompts for verifications itself. */
import * as v from 'valibot'
import { mfaMethodTypes } from '../../entities/mfa-methods.ts'
import type { ErrorCode } from '../../errors/error-codes.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { lenientUser } from '../../rows/lenient.ts'

const method = v.picklist(mfaMethodTypes)
const text = v.string()
const userAnswer = v.object({ user: lenientUser })
const empty = v.object({})

export const mfaCalls = {
  showMfaEnrollment: { policy: 'needs-user', input: empty },
  enrollMfa: { policy: 'needs-user', input: v.object({ method }) },
  unenrollMfa: { policy: 'needs-user', input: v.object({ method }) },
  closeMfaEnrollment: { policy: 'headless', input: empty },
  // An unknown method has its own error, so the schema accepts any value.
  initMfa: { policy: 'headless', input: v.object({ method: v.unknown() }) },
  submitMfa: { policy: 'headless', input: v.object({ method: v.unknown(), answer: v.unknown() }) },
  cancelMfa: { policy: 'headless', input: empty },
} as const satisfies HostCallRows

export const mfaAnswers = {
  showMfaEnrollment: userAnswer,
  enrollMfa: userAnswer,
  unenrollMfa: userAnswer,
  closeMfaEnrollment: empty,
  initMfa: v.looseObject({
    relyingParty: v.exactOptional(text),
    options: v.exactOptional(v.looseObject({})),
  }),
  submitMfa: empty,
  cancelMfa: empty,
} as const

/** Emitted to a page with `mfa.noPromptOnMfaRequired` when a call needs one of these methods. */
export const mfaEvents = { mfaRequired: v.object({ methods: v.array(text) }) } as const

const userErrors = ['must_be_authenticated', 'not_supported'] as const satisfies readonly ErrorCode[]
const verificationErrors = ['unknown_mfa_error', 'invalid_data'] as const satisfies readonly ErrorCode[]

export const mfaDoc: HostCallDoc<typeof mfaCalls> = {
  showMfaEnrollment: {
    summary:
      'Opens the dialog where the user adds and removes second factors. Resolves with the user when it closes.',
    errors: userErrors,
  },
  enrollMfa: {
    summary: 'Opens the enrollment of one method. Its secrets and codes are never sent to the page.',
    errors: userErrors,
  },
  unenrollMfa: { summary: 'Opens the confirmation to remove one method.', errors: userErrors },
  closeMfaEnrollment: { summary: 'Closes a dialog that these calls opened.', errors: [] },
  initMfa: {
    summary:
      'For a page that prompts for verifications itself (`mfa.noPromptOnMfaRequired`), after `mfaRequired`: sends the code of `sms`, or returns the challenge of `passkey`.',
    errors: [...verificationErrors, 'too_many_requests', 'twilio_verification_failed', 'user_unsubscribed'],
  },
  submitMfa: {
    summary:
      'Submits six digits, or the response of an authenticator as an object. Four tries are allowed. The pending call settles with the outcome.',
    errors: [...verificationErrors, 'missing_or_invalid_mfa', 'mfa_verification_max_attempts_reached'],
  },
  cancelMfa: { summary: 'Rejects the pending call with `missing_or_invalid_mfa`.', errors: [] },
}
