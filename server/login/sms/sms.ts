/** Login by a one-time code over SMS. A third party creates, sends and verifies the code. */
import { LatchkeyError, smsLimits } from '@latchkey/protocol'
import type { App } from '../../identity/apps/apps.ts'
import { findFixedCode } from '../../identity/apps/apps.ts'
import {
  type ChargedGuess,
  type CheckOutcome,
  type CodeKey,
  type CodePurpose,
  consumeVerification,
  countCheck,
  countSending,
  type ExternalCodeOrder,
  refundOrder,
  type SendingOutcome,
} from '../../identity/codes/codes.ts'
import {
  parsePhoneNumber,
  type SmsCheck,
  type SmsRefusal,
  type SmsResult,
  smsVerifier,
} from '../../integrations/sms/sms.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { Trx } from '../../kernel/ports.ts'
import { requireLoginMethod } from '../allowed.ts'
import type { ProvenByCode } from '../proven.ts'

export { smsFactor } from './second-factor.ts'

export const smsCodes: CodePurpose = {
  name: 'sms',
  channel: 'sms',
  digits: smsLimits.codeLength,
  seconds: smsLimits.codeSeconds,
}

export const requireSmsLogin = (app: App): void => requireLoginMethod(app, 'smsAuth', 'SMS')

function requireVerifier({ ports }: ServerContext) {
  const verifier = smsVerifier.get(ports)
  if (verifier) return verifier
  throw new LatchkeyError('disallowed_login_method', 'This server sends no SMS', {
    details: { setting: 'TWILIO_VERIFY_URL' },
  })
}

/** Does not check whether a user exists, so that known and unknown numbers can not be told apart. */
export async function sendCode(
  context: ServerContext,
  { app, to, purpose }: { app: App; to: string; purpose: CodePurpose },
  order: ExternalCodeOrder,
  signal: AbortSignal,
): Promise<SmsResult> {
  const { e164 } = parsePhoneNumber(to)
  const fixedCode = findFixedCode(app, e164)
  if (fixedCode !== undefined) return { type: 'sent', verification: fixedVerification + fixedCode }
  const sending = await requireVerifier(context)
    .send({ e164, appName: app.name }, signal)
    .catch((cause: unknown): SmsResult => ({ type: 'failed', why: String(cause) }))
  countSending({ appId: app.id, purpose }, sendingOutcomes[sending.type])
  if (sending.type !== 'sent') await refundOrder(context, order)
  return sending
}

const sendingOutcomes = {
  sent: 'accepted',
  region: 'region',
  number: 'number',
  unsubscribed: 'unsubscribed',
  'too many': 'too_many',
  failed: 'failed',
} as const satisfies Record<SmsResult['type'], SendingOutcome>

/** The verification of a number with a fixed code. Twilio's own ids start with VE. */
const fixedVerification = 'fixed:'

/** A guess from a browser without a sent code is wrong, even if the code is right. */
export async function checkCode(
  context: ServerContext,
  purpose: CodePurpose,
  { verification }: ChargedGuess,
  code: string,
  signal: AbortSignal,
): Promise<SmsCheck> {
  if (verification === undefined) {
    countCheck(purpose, 'none')
    return { type: 'gone' }
  }
  if (verification.startsWith(fixedVerification)) {
    return { type: verification === fixedVerification + code ? 'right' : 'wrong' }
  }
  const checked = await requireVerifier(context).check({ verification, code }, signal)
  countCheck(purpose, checkOutcomes[checked.type] ?? 'failed')
  return checked
}

const checkOutcomes: { readonly [type in SmsCheck['type']]?: CheckOutcome } = {
  right: 'right',
  wrong: 'wrong',
  gone: 'none',
}

/** `not_checked`: it is unknown whether the code was right, and nothing was changed. */
export type GuessOutcome =
  | { type: 'right' }
  | { type: 'wrong_code' }
  | { type: 'not_checked'; refusal: SmsRefusal }

export async function decideGuess(
  trx: Trx,
  key: CodeKey,
  guess: ChargedGuess,
  checked: SmsCheck,
): Promise<GuessOutcome> {
  switch (checked.type) {
    case 'right':
      await consumeVerification(trx, key, guess)
      return checked
    case 'wrong':
    case 'gone':
      return { type: 'wrong_code' }
    default:
      return { type: 'not_checked', refusal: checked }
  }
}

/** Converts a refusal to the caller's error. The provider's reason is logged for the operator. */
export function smsRefusal({ log }: ServerContext, refusal: SmsRefusal): LatchkeyError {
  switch (refusal.type) {
    case 'region':
      return new LatchkeyError('not_supported', 'SMS authentication from this region is not available')
    case 'too many':
      return new LatchkeyError('too_many_requests', 'Too many attempts.', {
        retryAfterSeconds: smsLimits.codeSeconds,
      })
    case 'number':
      return new LatchkeyError('twilio_verification_failed', 'No code can be sent to this number.')
    case 'unsubscribed':
      return new LatchkeyError(
        'user_unsubscribed',
        'This number has opted out of messages. Reply START to the last one, then try again.',
      )
    case 'failed':
      log.error({ why: refusal.why }, 'The SMS service failed')
      return new LatchkeyError(
        'twilio_verification_failed',
        'The SMS service did not answer. Please try again.',
      )
    default:
      return refusal satisfies never
  }
}

export const toProvenLogin = (key: CodeKey): ProvenByCode => ({
  key,
  method: 'sms',
  account: { type: 'phone', identifier: key.identifier, profile: { phoneNumber: key.identifier } },
})
