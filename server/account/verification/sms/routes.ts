import { LatchkeyError } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import {
  type CountedGuess,
  holdVerification,
  keepVerification,
  orderElsewhere,
  useUpVerification,
} from '../../../identity/codes/codes.ts'
import { livingSession } from '../../../identity/sessions/sessions.ts'
import { parsePhoneNumber } from '../../../integrations/sms/sms.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { type Call, type Endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { askLimits } from '../../../kernel/limits.ts'
import type { Trx } from '../../../kernel/ports.ts'
import { checkCode, sendCode, smsRefusal } from '../../../login/sms/sms.ts'
import { changeAnswer, tellOfChange, wrongEnrolmentCode } from '../change.ts'
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
import { countTry, unverified, verified, verifiedAnswer } from '../verification.ts'
import { enrolling, enrolmentKey, requireNoSmsLogin, verificationKey, verifying } from './sms.ts'

const method = 'sms'

/** A check that was cut off may have used the code up: it is not asked again. */
const once = { repeatable: false, deadlineMs: askLimits.deadlineMs } as const

/** Enough for its owner to know it by. */
const masked = (phoneNumber: string) => `*${phoneNumber.slice(-4)}`

const normal = (phoneNumber: string) => parsePhoneNumber(phoneNumber).qualified

async function enrolledNumber(trx: Trx, caller: EnrollingCaller): Promise<string> {
  const own = await findMethod(trx, caller.userId, method)
  if (own?.status === 'enrolled' && own.phone_number !== null) return own.phone_number
  throw new LatchkeyError('missing_or_invalid_mfa', 'No number verifies this user')
}

type SendCall = Pick<Call<typeof mfaRoutes.sendMfaCode>, 'app' | 'caller' | 'body'>
type Sending = { to: string; isEnrolling: boolean; taken: readonly string[] }

/** Where a code goes; an enrolment begins with it. What was begun stands when the code is sent once more. */
async function recipient(
  trx: Trx,
  context: ServerContext,
  { app, caller, body }: SendCall,
  before: Sending | undefined,
): Promise<{ to: string; isEnrolling: boolean }> {
  if (body.action === 'verify') {
    await livingSession(trx, context, caller.sessionId)
    return { to: await enrolledNumber(trx, caller), isEnrolling: false }
  }
  if (before) return before
  requireOffered(app, method)
  const phoneNumber = normal(body.phoneNumber)
  await holdMethods(trx, context, caller)
  await requireNoSmsLogin(trx, caller)
  await beginEnrolment(trx, context, caller, { method, kept: { phoneNumber }, mfaToken: body.mfaToken })
  return { to: phoneNumber, isEnrolling: true }
}

export const mfaSmsEndpoints: readonly Endpoint[] = [
  replayedEndpoint(mfaRoutes.sendMfaCode, {
    reserve: async (trx, call, context, before: Sending | undefined): Promise<Sending> => {
      const { to, isEnrolling } = await recipient(trx, context, call, before)
      const byUser = await orderElsewhere(trx, context, verificationKey(call.caller), {
        address: call.address,
        sessionId: call.caller.sessionId,
      })
      const byNumber = isEnrolling
        ? await orderElsewhere(trx, context, enrolmentKey(call.caller, to), { address: undefined })
        : { taken: [] }
      return { to, isEnrolling, taken: [...byUser.taken, ...byNumber.taken] }
    },
    ask: {
      // The same code goes out again.
      repeatable: true,
      deadlineMs: askLimits.deadlineMs,
      run: ({ to, isEnrolling, taken }, { app }, context, signal) =>
        sendCode(context, { app, to, purpose: isEnrolling ? enrolling : verifying }, { taken }, signal),
    },
    decide: async (trx, { caller }, context, { reserved: { to, isEnrolling }, answer }) => {
      const key = isEnrolling ? enrolmentKey(caller, to) : verificationKey(caller)
      if (answer.type === 'sent') await keepVerification(trx, context, key, answer.verification)
      return answer.type === 'sent' ? { type: 'sent' as const, sentTo: masked(to) } : answer
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
      const number = normal(body.phoneNumber)
      if (enrolment.phone_number !== number) {
        throw new LatchkeyError('not_found', 'The enrolment of this session is for another number')
      }
      const guess = await holdVerification(trx, context, enrolmentKey(caller, number), {
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
          await useUpVerification(trx, enrolmentKey(caller, number), guess)
          return endEnrolment(trx, context, caller, enrolment, { mfaToken: body.mfaToken })
        case 'wrong':
        case 'gone':
          return unverified
        default:
          return { type: 'not_checked', refusal: answer } as const
      }
    },
    perform: async (outcome, call, context) => {
      if (outcome.type !== 'not_checked') await tellOfChange(outcome, call, context)
    },
    render: (outcome, call, context) => {
      if (outcome.type === 'not_checked') throw smsRefusal(context, outcome.refusal)
      if (outcome.type === 'wrong') throw wrongEnrolmentCode()
      return changeAnswer(call, context)
    },
  }),

  replayedEndpoint(mfaRoutes.verifySms, {
    reserve: async (trx, { caller, address }, context): Promise<CountedGuess> => {
      await livingSession(trx, context, caller.sessionId)
      await countTry(trx, context, caller, method)
      const own = await findMethod(trx, caller.userId, method)
      if (own?.status !== 'enrolled') return { verification: undefined, taken: [] }
      return holdVerification(trx, context, verificationKey(caller), { address, sessionId: caller.sessionId })
    },
    ask: {
      ...once,
      run: (guess, { body }, context, signal) => checkCode(context, verifying, guess, body.code, signal),
    },
    decide: async (trx, { caller }, context, { reserved, answer }) => {
      switch (answer.type) {
        case 'right':
          await useUpVerification(trx, verificationKey(caller), reserved)
          return verified(trx, context, caller, method)
        case 'wrong':
        case 'gone':
          return unverified
        default:
          return { type: 'not_checked', refusal: answer } as const
      }
    },
    render: (outcome, _call, context) => {
      if (outcome.type === 'not_checked') throw smsRefusal(context, outcome.refusal)
      return verifiedAnswer(outcome, context)
    },
  }),

  removalEndpoint(mfaRoutes.unenrollSms, method),
]
