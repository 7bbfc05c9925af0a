import { LatchkeyError } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import {
  type ChargedGuess,
  consumeVerification,
  lockVerification,
  orderExternalCode,
  storeVerification,
} from '../../../identity/codes/codes.ts'
import { requireLivingSession } from '../../../identity/sessions/sessions.ts'
import { parsePhoneNumber } from '../../../integrations/sms/sms.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { type Call, type Endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { askLimits } from '../../../kernel/limits.ts'
import type { Trx } from '../../../kernel/ports.ts'
import { checkCode, sendCode, smsRefusal } from '../../../login/sms/sms.ts'
import { notifyOfFactorChange, renderUser, wrongEnrolmentCode } from '../change.ts'
import {
  beginEnrolment,
  type EnrollingCaller,
  endEnrolment,
  holdMethods,
  openEnrolment,
  requireOffered,
  requireReady,
} from '../enrolment.ts'
import { findMethod } from '../method-store.ts'
import { removalEndpoint } from '../removal.ts'
import { countAttempt, createVerification, renderVerification, unverified } from '../verification.ts'
import { enrolling, enrolmentKey, requireNoSmsLogin, verificationKey, verifying } from './sms.ts'

const method = 'sms'

/** Not repeatable, because an interrupted check may have consumed the code. */
const once = { repeatable: false, deadlineMs: askLimits.deadlineMs } as const

/** Masks all but the last four digits, which the user recognizes. */
const maskNumber = (phoneNumber: string) => `*${phoneNumber.slice(-4)}`

const normalizeNumber = (phoneNumber: string) => parsePhoneNumber(phoneNumber).qualified

async function enrolledNumber(trx: Trx, caller: EnrollingCaller): Promise<string> {
  const factor = await findMethod(trx, caller.userId, method)
  if (factor?.status === 'enrolled' && factor.phone_number !== null) return factor.phone_number
  throw new LatchkeyError('missing_or_invalid_mfa', 'The user has no phone number as a second factor')
}

type SendCall = Pick<Call<typeof mfaRoutes.sendMfaCode>, 'app' | 'caller' | 'body'>
type Sending = { to: string; isEnrolling: boolean; taken: readonly string[] }

/** Returns the number for a code. Begins an enrolment unless a retry already began it. */
async function prepareRecipient(
  trx: Trx,
  context: ServerContext,
  { app, caller, body }: SendCall,
  previous: Sending | undefined,
): Promise<{ to: string; isEnrolling: boolean }> {
  if (body.action === 'verify') {
    await requireLivingSession(trx, context, caller.sessionId)
    return { to: await enrolledNumber(trx, caller), isEnrolling: false }
  }
  if (previous) return previous
  requireOffered(app, method)
  const phoneNumber = normalizeNumber(body.phoneNumber)
  await holdMethods(trx, context, caller)
  await requireNoSmsLogin(trx, caller)
  await beginEnrolment(trx, context, caller, { method, kept: { phoneNumber }, mfaToken: body.mfaToken })
  return { to: phoneNumber, isEnrolling: true }
}

export const mfaSmsEndpoints: readonly Endpoint[] = [
  replayedEndpoint(mfaRoutes.sendMfaCode, {
    reserve: async (trx, call, context, previous: Sending | undefined): Promise<Sending> => {
      const { to, isEnrolling } = await prepareRecipient(trx, context, call, previous)
      const byUser = await orderExternalCode(trx, context, verificationKey(call.caller), {
        address: call.address,
        sessionId: call.caller.sessionId,
      })
      const byNumber = isEnrolling
        ? await orderExternalCode(trx, context, enrolmentKey(call.caller, to), { address: undefined })
        : { taken: [] }
      return { to, isEnrolling, taken: [...byUser.taken, ...byNumber.taken] }
    },
    ask: {
      // A retry sends the same code.
      repeatable: true,
      deadlineMs: askLimits.deadlineMs,
      run: ({ to, isEnrolling, taken }, { app }, context, signal) =>
        sendCode(context, { app, to, purpose: isEnrolling ? enrolling : verifying }, { taken }, signal),
    },
    decide: async (trx, { caller }, context, { reserved: { to, isEnrolling }, answer }) => {
      const key = isEnrolling ? enrolmentKey(caller, to) : verificationKey(caller)
      if (answer.type === 'sent') await storeVerification(trx, context, key, answer.verification)
      return answer.type === 'sent' ? { type: 'sent' as const, sentTo: maskNumber(to) } : answer
    },
    render: (outcome, _call, context) => {
      if (outcome.type !== 'sent') throw smsRefusal(context, outcome)
      return { success: true, sentTo: outcome.sentTo }
    },
  }),

  replayedEndpoint(mfaRoutes.enrollSms, {
    reserve: async (trx, { app, caller, body, address }, context) => {
      requireOffered(app, method)
      await holdMethods(trx, context, caller)
      await requireNoSmsLogin(trx, caller)
      const enrolment = await openEnrolment(trx, context, caller, method)
      await requireReady(trx, context, caller, enrolment, body.mfaToken)
      const number = normalizeNumber(body.phoneNumber)
      if (enrolment.phone_number !== number) {
        throw new LatchkeyError('not_found', 'The enrolment of this session is for another number')
      }
      const guess = await lockVerification(trx, context, enrolmentKey(caller, number), {
        address,
        sessionId: caller.sessionId,
      })
      const { id, is_verified } = enrolment
      return { guess, number, enrolment: { id, is_verified, method } as const }
    },
    ask: {
      ...once,
      run: ({ guess }, { body }, context, signal) => checkCode(context, enrolling, guess, body.code, signal),
    },
    decide: async (trx, { caller, body }, context, { reserved, answer }) => {
      const { guess, number, enrolment } = reserved
      switch (answer.type) {
        case 'right':
          await holdMethods(trx, context, caller)
          await requireNoSmsLogin(trx, caller)
          await consumeVerification(trx, enrolmentKey(caller, number), guess)
          return endEnrolment(trx, context, caller, enrolment, { mfaToken: body.mfaToken })
        case 'wrong':
        case 'gone':
          return unverified
        default:
          return { type: 'not_checked', refusal: answer } as const
      }
    },
    perform: async (outcome, call, context) => {
      if (outcome.type !== 'not_checked') await notifyOfFactorChange(outcome, call, context)
    },
    render: (outcome, call, context) => {
      if (outcome.type === 'not_checked') throw smsRefusal(context, outcome.refusal)
      if (outcome.type === 'wrong') throw wrongEnrolmentCode()
      return renderUser(call, context)
    },
  }),

  replayedEndpoint(mfaRoutes.verifySms, {
    reserve: async (trx, { caller, address }, context): Promise<ChargedGuess> => {
      await requireLivingSession(trx, context, caller.sessionId)
      await countAttempt(trx, context, caller, method)
      const factor = await findMethod(trx, caller.userId, method)
      if (factor?.status !== 'enrolled') return { verification: undefined, taken: [] }
      return lockVerification(trx, context, verificationKey(caller), { address, sessionId: caller.sessionId })
    },
    ask: {
      ...once,
      run: (guess, { body }, context, signal) => checkCode(context, verifying, guess, body.code, signal),
    },
    decide: async (trx, { caller }, context, { reserved, answer }) => {
      switch (answer.type) {
        case 'right':
          await consumeVerification(trx, verificationKey(caller), reserved)
          return createVerification(trx, context, caller, method)
        case 'wrong':
        case 'gone':
          return unverified
        default:
          return { type: 'not_checked', refusal: answer } as const
      }
    },
    render: (outcome, _call, context) => {
      if (outcome.type === 'not_checked') throw smsRefusal(context, outcome.refusal)
      return renderVerification(outcome, context)
    },
  }),

  removalEndpoint(mfaRoutes.unenrollSms, method),
]
