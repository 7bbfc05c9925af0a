/** Calls for multi-factor verification: its methods, and a page that asks for verifications itself. */
import { mfaAnswers } from '@latchkey/protocol/host'
import type { CallOptions, MfaMethod } from '../types/options.ts'
import type { User } from '../types/published.ts'
import { type LazyRows, link, type Messages, message, toNothing, withoutCard } from './row.ts'

export type MfaCalls = {
  /** Opens the dialog where the user adds and removes methods; the user as they are when it is closed. */
  showMfaEnrollment(options?: CallOptions): Promise<User>
  /** Likewise, at the first screen of one method. */
  enrollMfa(method: MfaMethod, options?: CallOptions): Promise<User>
  /** Likewise, where the user confirms that one method is removed. */
  unenrollMfa(method: MfaMethod, options?: CallOptions): Promise<User>
  closeMfaEnrollment(): Promise<void>
  /** After `mfaRequired`: sends the code of `sms`, or gets the challenge of `passkey`. */
  initMfa(method: MfaMethod): Promise<MfaChallenge>
  /** Six digits, or what an authenticator answered. A wrong answer (`missing_or_invalid_mfa`) can be tried again. */
  submitMfa(method: MfaMethod, answer: string | Readonly<Record<string, unknown>>): Promise<void>
  /** The call that waits ends with `missing_or_invalid_mfa`. */
  cancelMfa(): Promise<void>
}
/** The challenge of a passkey is what its authenticator is to be asked; the other methods have none. */
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

/** A call that changes one method of verification answers with the user as they are afterwards. */
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
