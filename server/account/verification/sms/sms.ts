/** Codes by SMS as a second factor: whose they are, and what they cost whom. */
import { smsLimits } from '@latchkey/protocol'
import type { CodeKey, CodePurpose } from '../../../identity/codes/codes.ts'
import { ownAccountsOf } from '../../../identity/users/users.ts'
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
 * A code is for the session that asked, where a login's is for the browser: page and wallet frame are one session on two
 * origins. It costs the user and not the number, so that nobody who knows the number can use up their codes.
 */
export const verificationKey = ({ appId, userId, sessionId }: Caller): CodeKey => ({
  appId,
  purpose: verifying,
  identifier: userId,
  binding: sessionId,
})

/** It costs the number too, so that nobody is sent many by many users. */
export const enrolmentKey = ({ appId, sessionId }: Caller, phoneNumber: string): CodeKey => ({
  appId,
  purpose: enrolling,
  identifier: phoneNumber,
  binding: sessionId,
})

/** Under the user's hold. */
export async function requireNoSmsLogin(trx: Trx, caller: Caller): Promise<void> {
  if ((await ownAccountsOf(trx, caller, 'phone')).length > 0) throw smsIsOneFactor()
}
