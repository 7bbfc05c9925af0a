import { smsRoutes } from '@latchkey/protocol/api'
import { findFixedCode } from '../../identity/apps/apps.ts'
import {
  type ChargedGuess,
  type CodeKey,
  hashBinding,
  lockVerification,
  orderExternalCode,
  storeVerification,
} from '../../identity/codes/codes.ts'
import { requireCaptcha } from '../../integrations/captcha/captcha.ts'
import { parsePhoneNumber } from '../../integrations/sms/sms.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { type Call, type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { askLimits } from '../../kernel/limits.ts'
import { tellOfLogins } from '../account-mail.ts'
import { countedLogin } from '../counted.ts'
import {
  linkAnswer,
  linkWith,
  loginAnswer,
  loginWith,
  requireLinkingSession,
  unlink,
  unlinkAnswer,
} from '../proven.ts'
import { smsFactor } from './second-factor.ts'
import {
  checkCode,
  decideGuess,
  requireSmsLogin,
  sendCode,
  smsCodes,
  smsRefusal,
  toProvenLogin,
} from './sms.ts'

type SmsCall = Pick<Call, 'app' | 'binding'> & { body: { phoneNumber: string } }
const toCodeKey = ({ app, body, binding }: SmsCall): CodeKey => ({
  appId: app.id,
  purpose: smsCodes,
  identifier: parsePhoneNumber(body.phoneNumber).qualified,
  binding: hashBinding(binding),
})

/** An interrupted check may have consumed the code, so it is never repeated. */
const checkOnce = {
  repeatable: false,
  deadlineMs: askLimits.deadlineMs,
  run: (
    guess: ChargedGuess,
    { body }: { body: { code: string } },
    context: ServerContext,
    signal: AbortSignal,
  ) => checkCode(context, smsCodes, guess, body.code, signal),
} as const

export const smsEndpoints: readonly Endpoint[] = [
  requireCaptcha(
    replayedEndpoint(smsRoutes.sendSmsCode, {
      reserve: (trx, call, context) => {
        requireSmsLogin(call.app)
        const isSent = findFixedCode(call.app, toCodeKey(call).identifier) === undefined
        return orderExternalCode(trx, context, toCodeKey(call), { address: call.address }, isSent)
      },
      ask: {
        // The retry sends the same code.
        repeatable: true,
        deadlineMs: askLimits.deadlineMs,
        run: (order, { app, body }, context, signal) =>
          sendCode(context, { app, to: body.phoneNumber, purpose: smsCodes }, order, signal),
      },
      decide: async (trx, call, context, { answer }) => {
        if (answer.type === 'sent')
          await storeVerification(trx, context, toCodeKey(call), answer.verification)
        return answer
      },
      render: (outcome, _call, context) => {
        if (outcome.type !== 'sent') throw smsRefusal(context, outcome)
        return { success: true }
      },
    }),
  ),

  countedLogin(
    'sms',
    replayedEndpoint(smsRoutes.loginWithSmsCode, {
      reserve: (trx, call, context) => {
        requireSmsLogin(call.app)
        return lockVerification(trx, context, toCodeKey(call), { address: call.address })
      },
      ask: checkOnce,
      decide: async (trx, call, context, { reserved, answer }) => {
        const key = toCodeKey(call)
        const decided = await decideGuess(trx, key, reserved, answer)
        return decided.type === 'right'
          ? loginWith(trx, context, call.app, toProvenLogin(key), call.browser())
          : decided
      },
      render: (outcome, call, context) => {
        if (outcome.type === 'not_checked') throw smsRefusal(context, outcome.refusal)
        return loginAnswer(outcome, call, context, 'phone')
      },
    }),
  ),

  replayedEndpoint(smsRoutes.linkPhone, {
    reserve: async (trx, call, context) => {
      requireSmsLogin(call.app)
      await smsFactor.get(context.ports).requireNone(trx, call.caller)
      const { address, caller } = call
      return lockVerification(trx, context, toCodeKey(call), { address, sessionId: caller.sessionId })
    },
    ask: checkOnce,
    decide: async (trx, call, context, { reserved, answer }) => {
      const key = toCodeKey(call)
      await requireLinkingSession(trx, context, call.caller)
      await smsFactor.get(context.ports).requireNone(trx, call.caller)
      const decided = await decideGuess(trx, key, reserved, answer)
      return decided.type === 'right' ? linkWith(trx, context, call.caller, toProvenLogin(key)) : decided
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => {
      if (outcome.type === 'not_checked') throw smsRefusal(context, outcome.refusal)
      return linkAnswer(outcome, call, context, 'phone')
    },
  }),

  // Allowed even if the app has disabled SMS: it needs no proof, and the number is the user's.
  replayedEndpoint(smsRoutes.unlinkPhone, {
    decide: (trx, { caller, body }, context) => {
      const identifier = parsePhoneNumber(body.phoneNumber).qualified
      return unlink(trx, context, caller, { type: 'phone', identifier })
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: unlinkAnswer,
  }),
]
