/** Calls for multi-factor authentication, including pages that prompt for verifications themselves. */
import { mfaAnswers } from '@latchkey/protocol/host'
import type { CallOptions, MfaMethod } from '../types/options.ts'
import type { User } from '../types/published.ts'
import { type LazyRows, link, type Messages, message, toNothing, withoutCard } from './row.ts'

export type MfaCalls = {
  /** Opens the dialog to add and remove MFA methods. Resolves with the updated user when it closes. */
  showMfaEnrollment(options?: CallOptions): Promise<User>
  /** Opens the enrollment screen of one method. Resolves with the updated user when it closes. */
  enrollMfa(method: MfaMethod, options?: CallOptions): Promise<User>
  /** Opens the dialog to confirm the removal of one method. Resolves with the updated user when it closes. */
  unenrollMfa(method: MfaMethod, options?: CallOptions): Promise<User>
  /** Closes the screen of `showMfaEnrollment()`. */
  closeMfaEnrollment(): Promise<void>
  /** Call after `mfaRequired`: sends the code for `sms`, or returns the challenge for `passkey`. */
  initMfa(method: MfaMethod): Promise<MfaChallenge>
  /**
   * Submits six digits, or the authenticator's response. Rejects a wrong answer with `missing_or_invalid_mfa`;
   * you may retry.
   */
  submitMfa(method: MfaMethod, answer: string | Readonly<Record<string, unknown>>): Promise<void>
  /** Ends the pending call with `missing_or_invalid_mfa`. */
  cancelMfa(): Promise<void>
}
/** The WebAuthn challenge of `passkey`. Empty for the other methods. */
export type MfaChallenge = {
  relyingParty?: string
  options?: Readonly<Record<string, unknown>>
}

/** @internal */
export const mfaRows: LazyRows<MfaCalls> = {
  showMfaEnrollment: link,
  enrollMfa: link,
  unenrollMfa: link,
  closeMfaEnrollment: withoutCard,
  initMfa: withoutCard,
  submitMfa: withoutCard,
  cancelMfa: withoutCard,
}

/** Creates the message of a call that changes one MFA method and resolves with the updated user. */
const changing = (call: 'enrollMfa' | 'unenrollMfa') =>
  message(
    call,
    mfaAnswers[call],
    (method: MfaMethod) => ({ method }),
    ({ user }) => user,
  )

/** @internal */
export const mfaMessages = (): Messages<MfaCalls> => ({
  showMfaEnrollment: message(
    'showMfaEnrollment',
    mfaAnswers.showMfaEnrollment,
    () => ({}),
    ({ user }) => user,
  ),
  enrollMfa: changing('enrollMfa'),
  unenrollMfa: changing('unenrollMfa'),
  closeMfaEnrollment: message('closeMfaEnrollment', mfaAnswers.closeMfaEnrollment, () => ({}), toNothing),
  initMfa: message(
    'initMfa',
    mfaAnswers.initMfa,
    (method: MfaMethod) => ({ method }),
    (challenge) => challenge,
  ),
  submitMfa: message(
    'submitMfa',
    mfaAnswers.submitMfa,
    (method: MfaMethod, answer: string | Readonly<Record<string, unknown>>) => ({ method, answer }),
    toNothing,
  ),
  cancelMfa: message('cancelMfa', mfaAnswers.cancelMfa, () => ({}), toNothing),
})
