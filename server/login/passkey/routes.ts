import { passkeyRoutes } from '@latchkey/protocol/api'
import { requireCaptcha } from '../../integrations/captcha/captcha.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { tellOfLogins } from '../account-mail.ts'
import { countedLogin } from '../counted.ts'
import { linkAnswer, loginAnswer, requireLinkingSession, unlinkAnswer } from '../proven.ts'
import type { Wrong } from './ceremony.ts'
import {
  challengeOfLink,
  challengeOfLogin,
  checkAssertion,
  checkAttestation,
  enrolledInMfa,
  getRelyingParty,
  type LinkAttempt,
  type LoginAttempt,
  link,
  linkOptions,
  login,
  loginOptions,
  newChallenge,
  passkeyRefusal,
  requirePasskeyLogin,
  requireRelyingParty,
  requireRoom,
  reserveLink,
  reserveLogin,
  unlinkPasskey,
} from './passkey.ts'

/** Logs the library's reason for the operator. */
function logRefusal({ log }: ServerContext, { reason, why }: Wrong) {
  log.info({ reason, why }, 'A passkey was not accepted')
  return passkeyRefusal(reason)
}

export const passkeyEndpoints: readonly Endpoint[] = [
  requireCaptcha(
    replayedEndpoint(passkeyRoutes.beginPasskeyLogin, {
      decide: async (trx, { app, binding, body }, context) => {
        requirePasskeyLogin(app)
        requireRelyingParty(context, body.relyingParty)
        return newChallenge(trx, context, challengeOfLogin({ app, binding }))
      },
      render: ({ challenge }, _call, context) => ({
        relyingParty: getRelyingParty(context),
        options: loginOptions(context, challenge),
      }),
    }),
  ),

  countedLogin(
    'passkey',
    replayedEndpoint(passkeyRoutes.loginWithPasskey, {
      reserve: async (trx, { app, binding, body }, context, before: LoginAttempt | undefined) => {
        requirePasskeyLogin(app)
        requireRelyingParty(context, body.relyingParty)
        const { challenge, authenticatorResponse: assertion } = body
        const of = challengeOfLogin({ app, binding })
        return before ?? reserveLogin(trx, context, of, { challenge, assertion })
      },
      // No third party is called. Signatures are verified outside of transactions because verification is asynchronous.
      ask: {
        repeatable: true,
        run: (attempt, { app, body }, context) =>
          checkAssertion(context, app, attempt, body.authenticatorResponse),
      },
      decide: async (trx, call, context, { reserved: attempt, answer }) =>
        answer.type === 'wrong'
          ? answer
          : login(trx, context, call.app, attempt, { counter: answer.counter, browser: call.browser() }),
      render: (outcome, call, context) => {
        if (outcome.type === 'wrong') throw logRefusal(context, outcome)
        return loginAnswer(outcome, call, context, 'passkey')
      },
    }),
  ),

  replayedEndpoint(passkeyRoutes.beginPasskeyLink, {
    decide: async (trx, { app, binding, caller }, context) => {
      requirePasskeyLogin(app)
      await requireLinkingSession(trx, context, caller)
      await requireRoom(trx, app, caller)
      return newChallenge(trx, context, challengeOfLink({ app, binding, caller }))
    },
    render: async ({ challenge }, { app, caller }, context) => ({
      relyingParty: getRelyingParty(context),
      options: await linkOptions(context, app, caller, challenge),
    }),
  }),

  replayedEndpoint(passkeyRoutes.linkPasskey, {
    reserve: async (trx, { app, binding, body, caller }, context, before: LinkAttempt | undefined) => {
      requirePasskeyLogin(app)
      requireRelyingParty(context, body.relyingParty)
      return (
        before ??
        reserveLink(trx, context, challengeOfLink({ app, binding, caller }), body.authenticatorResponse)
      )
    },
    ask: {
      repeatable: true,
      run: (attempt, { app, body }, context) =>
        checkAttestation(context, app, attempt, body.authenticatorResponse),
    },
    decide: async (trx, { body, caller, c }, context, { answer }) => {
      if (answer.type === 'wrong') return answer
      await requireLinkingSession(trx, context, caller)
      const { transports = [] } = body.authenticatorResponse.response
      return link(trx, context, caller, answer, { transports, userAgent: c.req.header('user-agent') })
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => {
      if (outcome.type === 'wrong') throw logRefusal(context, outcome)
      return linkAnswer(outcome, call, context, 'passkey')
    },
  }),

  replayedEndpoint(passkeyRoutes.unlinkPasskey, {
    decide: (trx, { body, caller }, context) => unlinkPasskey(trx, context, caller, body.credentialId),
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => {
      if (outcome.type === 'enrolled') throw enrolledInMfa()
      return unlinkAnswer(outcome, call, context)
    },
  }),
]
