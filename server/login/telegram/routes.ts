import { telegramRoutes } from '@latchkey/protocol/api'
import { hashBinding } from '../../identity/codes/codes.ts'
import { requireCaptcha } from '../../integrations/captcha/captcha.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
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
import { getTelegramOrigin } from './environment.ts'
import { proofIn } from './proof.ts'
import {
  awaitedResult,
  beginWindow,
  requireSeamless,
  requireTelegramLinking,
  requireTelegramLogin,
  useProof,
} from './telegram.ts'

export const telegramEndpoints: readonly Endpoint[] = [
  replayedEndpoint(telegramRoutes.startTelegram, {
    decide: (trx, { app, body, binding }, context) =>
      beginWindow(trx, context, app, hashBinding(binding), body.relay),
    render: (_, _call, context) => ({ telegramOrigin: getTelegramOrigin(context) }),
  }),

  endpoint(telegramRoutes.telegramResult, ({ app, body, binding, wait }, context) =>
    awaitedResult(context, app, hashBinding(binding), body, wait),
  ),

  requireCaptcha(
    countedLogin(
      'telegram',
      replayedEndpoint(telegramRoutes.loginWithTelegram, {
        decide: async (trx, { app, body, browser }, context) => {
          const bot = requireTelegramLogin(context, app)
          const signed = proofIn(body)
          requireSeamless(bot, signed)
          // Everything else is validated before the proof is consumed.
          const by = browser()
          return loginWith(trx, context, app, await useProof(trx, context, bot, signed), by)
        },
        render: (outcome, call, context) => loginAnswer(outcome, call, context, 'telegram'),
      }),
    ),
    { field: 'captchaToken' },
  ),

  replayedEndpoint(telegramRoutes.linkTelegram, {
    decide: async (trx, { app, body, caller }, context) => {
      const bot = requireTelegramLinking(context, app)
      await requireLinkingSession(trx, context, caller)
      return linkWith(trx, context, caller, await useProof(trx, context, bot, proofIn(body)))
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => linkAnswer(outcome, call, context, 'telegram'),
  }),

  replayedEndpoint(telegramRoutes.unlinkTelegram, {
    decide: (trx, { body, caller }, context) =>
      unlink(trx, context, caller, { type: 'telegram', identifier: body.telegramUserId }),
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: unlinkAnswer,
  }),
]
