import { emailRoutes } from '@latchkey/protocol/api'
import { findFixedCode } from '../../identity/apps/apps.ts'
import { type CodeKey, type CodeOrder, hashBinding, orderCode } from '../../identity/codes/codes.ts'
import { requireCaptcha } from '../../integrations/captcha/captcha.ts'
import { type Call, type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { askLimits } from '../../kernel/limits.ts'
import { tellOfLogins } from '../account-mail.ts'
import { countedLogin } from '../counted.ts'
import { linkAnswer, loginAnswer, replaceAnswer, unlink, unlinkAnswer } from '../proven.ts'
import { emailCodes, link, login, mailCode, requireEmailLogin, update } from './email.ts'

type EmailCall = Pick<Call, 'app' | 'binding'> & { body: { email: string } }
const toCodeKey = ({ app, body, binding }: EmailCall): CodeKey => ({
  appId: app.id,
  purpose: emailCodes,
  identifier: body.email,
  binding: hashBinding(binding),
})

export const emailEndpoints: readonly Endpoint[] = [
  requireCaptcha(
    replayedEndpoint(emailRoutes.sendEmailCode, {
      reserve: (trx, call, context, before: CodeOrder | undefined) => {
        requireEmailLogin(call.app)
        const fixedCode = findFixedCode(call.app, call.body.email)
        return orderCode(trx, context, toCodeKey(call), { address: call.address }, before, fixedCode)
      },
      ask: {
        repeatable: true,
        deadlineMs: askLimits.mailDeadlineMs,
        run: (order, call, context) => mailCode(context, call, toCodeKey(call), order),
      },
      render: () => ({ success: true }),
    }),
  ),

  countedLogin(
    'email',
    replayedEndpoint(emailRoutes.loginWithEmailCode, {
      decide: (trx, call, context) => {
        requireEmailLogin(call.app)
        const { address, body } = call
        const attempt = { code: body.code, address, browser: call.browser() }
        return login(trx, context, call.app, toCodeKey(call), attempt)
      },
      render: (outcome, call, context) => loginAnswer(outcome, call, context, 'email'),
    }),
  ),

  replayedEndpoint(emailRoutes.linkEmail, {
    decide: (trx, call, context) => {
      requireEmailLogin(call.app)
      const { address, body, caller } = call
      return link(trx, context, caller, toCodeKey(call), {
        code: body.code,
        address,
        sessionId: caller.sessionId,
      })
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => linkAnswer(outcome, call, context, 'email'),
  }),

  replayedEndpoint(emailRoutes.updateEmail, {
    decide: (trx, call, context) => {
      requireEmailLogin(call.app)
      const { address, body, caller } = call
      const { oldAddress, newAddress: email, code } = body
      return update(trx, context, caller, toCodeKey({ ...call, body: { email } }), {
        code,
        address,
        sessionId: caller.sessionId,
        oldAddress,
      })
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => replaceAnswer(outcome, call, context, 'email'),
  }),

  // Allowed even if the app has disabled e-mail: it needs no proof, and the account is the user's.
  replayedEndpoint(emailRoutes.unlinkEmail, {
    decide: (trx, { caller, body }, context) =>
      unlink(trx, context, caller, { type: 'email', identifier: body.address }),
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: unlinkAnswer,
  }),
]
