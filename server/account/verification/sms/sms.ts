/** Defines the keys and quotas of SMS codes as a second factor. */
import { smsLimits } from '@latchkey/protocol'
import type { CodeKey, CodePurpose } from '../../../identity/codes/codes.ts'
import { findOwnIdentifiers } from '../../../identity/users/users.ts'
import type { Trx } from '../../../kernel/ports.ts'
import { smsIsOneFactor } from '../verification.ts'

const purpose = (name: string): CodePurpose => ({
  name,
  channel: 'sms',
  digits: smsLimits.codeLength,
  seconds: smsLimits.codeSeconds,
})
export const verifying = purpose('mfa-sms')
export const enrolling = purpose('mfa-sms-enrolment')

type Caller = { appId: string; userId: string; sessionId: string }

/**
 * Binds the code to the session, because host page and wallet frame share a session across two origins. Counts against
 * the user's quota, not the number's. So an attacker who knows the number cannot exhaust it.
 */
export const verificationKey = ({ appId, userId, sessionId }: Caller): CodeKey => ({
  appId,
  purpose: verifying,
  identifier: userId,
  binding: sessionId,
})

/** Counts against the number's quota, so that many users cannot flood one number. */
export const enrolmentKey = ({ appId, sessionId }: Caller, phoneNumber: string): CodeKey => ({
  appId,
  purpose: enrolling,
  identifier: phoneNumber,
  binding: sessionId,
})

/** Throws if the user has an SMS login. The caller has locked the user. */
export async function requireNoSmsLogin(trx: Trx, caller: Caller): Promise<void> {
  if ((await findOwnIdentifiers(trx, caller, 'phone')).length > 0) throw smsIsOneFactor()
}
