import { type OAuthTokens, oauthTokensSchema } from '@latchkey/protocol'
import { oauthRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { App } from '../../identity/apps/apps.ts'
import { requireCaptcha } from '../../integrations/captcha/captcha.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { askLimits } from '../../kernel/limits.ts'
import { tellOfLogins } from '../account-mail.ts'
import { countedLogin } from '../counted.ts'
import {
  type LinkOutcome,
  type LoginOutcome,
  linkAnswer,
  linkWith,
  loginAnswer,
  loginWith,
  requireLinkingSession,
  unlink,
  unlinkAnswer,
} from '../proven.ts'
import { seal, unseal } from '../window/window.ts'
import type { Exchanged } from './exchange/exchange.ts'
import type { ProviderRefusal } from './exchange/refusal.ts'
import { getFamily } from './families.ts'
import {
  askProvider,
  awaitedResult,
  beginFlow,
  getAccountType,
  getStartUrl,
  type Redeemed,
  redeemCode,
  revokeToken,
  toAccount,
  toLogIn,
  toProvenLogin,
} from './oauth.ts'
import type { FlowProvider } from './provider.ts'

/** The provider's code can be used once, so the exchange is never repeated. */
const askOnce = { repeatable: false, deadlineMs: askLimits.deadlineMs } as const

/** The stored outcome of a call. It contains the provider's tokens, sealed, only if they are returned. */
type Finished<Outcome> =
  | {
      type: 'said'
      provider: FlowProvider
      outcome: Outcome
      handle: string
      tokens: string | null
    }
  | NotSaid

type NotSaid = {
  type: 'not said'
  provider: FlowProvider
  title: string
  refusal: ProviderRefusal
}
const toRefusalError = (context: ServerContext, { provider, title, refusal }: NotSaid) =>
  getFamily(provider).refusalError(context, title, refusal)

const finished = async <Outcome>(
  context: ServerContext,
  { app, body }: { app: App; body: { withTokens?: boolean } },
  { handle, provider, title }: Redeemed,
  answer: Exchanged,
  decide: (proven: ReturnType<typeof toProvenLogin>) => Promise<Outcome>,
): Promise<Finished<Outcome>> => {
  if (answer.type !== 'proven') return { type: 'not said', provider, title, refusal: answer }
  // Tokens of a cross-app provider go to the dialog, which alone has the key that they are bound to.
  const isHandedOut =
    getFamily(provider).bindsTokens || (body.withTokens === true && app.config.oauthTokensToHost)
  const tokens = isHandedOut
    ? seal(context, handle, 'tokens', JSON.stringify({ provider, ...answer.tokens }))
    : null
  return {
    type: 'said',
    provider,
    outcome: await decide(toProvenLogin(provider, answer.profile)),
    handle,
    tokens,
  }
}

type FinishedResult<Outcome> = Extract<Finished<Outcome>, { type: 'said' }>
const tokensIn = (
  context: ServerContext,
  { handle, tokens }: FinishedResult<unknown>,
): { oauthTokens?: OAuthTokens } => {
  if (tokens === null) return {}
  return { oauthTokens: v.parse(oauthTokensSchema, JSON.parse(unseal(context, handle, 'tokens', tokens))) }
}

export const oauthEndpoints: readonly Endpoint[] = [
  requireCaptcha(
    replayedEndpoint(oauthRoutes.startOAuth, {
      decide: (trx, { app, body, binding }, context) => beginFlow(trx, context, app, toLogIn(binding), body),
      render: (begun, _call, context) => ({ url: getStartUrl(context, begun) }),
    }),
    { requiredOf: 'everybody' },
  ),

  endpoint(oauthRoutes.oauthResult, ({ app, body, binding, wait }, context) =>
    awaitedResult(context, app, toLogIn(binding), body, wait),
  ),

  countedLogin(
    'oauth',
    replayedEndpoint(oauthRoutes.loginWithOAuth, {
      reserve: (trx, { app, body, binding, proof }, context) => {
        // Everything else is validated before the code is consumed.
        proof()
        return redeemCode(trx, context, app, toLogIn(binding), body)
      },
      ask: {
        ...askOnce,
        run: (redeemed, { app, body }, context, signal) =>
          askProvider(context, app, redeemed, body.proof, signal),
      },
      decide: (trx, call, context, { reserved, answer }): Promise<Finished<LoginOutcome>> =>
        finished(context, call, reserved, answer, (proven) =>
          loginWith(trx, context, call.app, proven, call.browser()),
        ),
      render: async (done, call, context) => {
        if (done.type === 'not said') throw toRefusalError(context, done)
        const answer = await loginAnswer(done.outcome, call, context, getAccountType(done.provider))
        return { ...answer, ...tokensIn(context, done) }
      },
    }),
  ),

  replayedEndpoint(oauthRoutes.linkOAuth, {
    reserve: (trx, { app, body, binding }, context) => redeemCode(trx, context, app, toLogIn(binding), body),
    ask: {
      ...askOnce,
      run: (redeemed, { app, body }, context, signal) =>
        askProvider(context, app, redeemed, body.proof, signal),
    },
    decide: async (trx, call, context, { reserved, answer }): Promise<Finished<LinkOutcome>> => {
      await requireLinkingSession(trx, context, call.caller)
      return finished(context, call, reserved, answer, (proven) =>
        linkWith(trx, context, call.caller, proven),
      )
    },
    perform: async (done, call, context) => {
      if (done.type !== 'not said') await tellOfLogins(done.outcome, call, context)
    },
    render: async (done, call, context) => {
      if (done.type === 'not said') throw toRefusalError(context, done)
      const user = await linkAnswer(done.outcome, call, context, getAccountType(done.provider))
      return { ...user, ...tokensIn(context, done) }
    },
  }),

  replayedEndpoint(oauthRoutes.unlinkOAuth, {
    decide: (trx, { body, caller }, context) => unlink(trx, context, caller, toAccount(body.provider, body)),
    perform: async (outcome, call, context) => {
      await tellOfLogins(outcome, call, context)
      const { provider, refreshToken } = call.body
      if (outcome.type !== 'unlinked' || refreshToken === undefined) return
      // The account is unlinked even if the revocation at the provider fails.
      await revokeToken(context, call.app, provider, refreshToken).catch((error: unknown) =>
        context.log.warn(
          { provider, err: error },
          'A provider was not told that its token is of no more use',
        ),
      )
    },
    render: unlinkAnswer,
  }),
]
