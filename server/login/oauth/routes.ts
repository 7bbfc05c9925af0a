import { type OAuthTokens, oauthTokensSchema } from '@latchkey/protocol'
import { oauthRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { App } from '../../apps/apps.ts'
import { behindCaptcha } from '../../captcha/captcha.ts'
import type { ServerContext } from '../../context.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../http/endpoint.ts'
import { askLimits } from '../../limits.ts'
import { tellOfLogins } from '../account-mail.ts'
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
import type { Exchanged } from './exchange.ts'
import {
  askProvider,
  awaitedResult,
  beginFlow,
  provenBy,
  type Redeemed,
  redeemCode,
  startUrlOf,
  toLogIn,
} from './oauth.ts'
import type { SocialProvider } from './provider.ts'
import { providers } from './providers.ts'
import { type ProviderRefusal, refusalError } from './refusal.ts'

/** The provider's code is good once: whoever does not hear what it said does not ask again. */
const askOnce = { repeatable: false, deadlineMs: askLimits.deadlineMs } as const

/** Kept as the outcome of the call; the provider's tokens are sealed, and there only where they are wanted. */
type Finished<Outcome> =
  | {
      readonly type: 'said'
      readonly provider: SocialProvider
      readonly outcome: Outcome
      readonly handle: string
      readonly tokens: string | null
    }
  | { readonly type: 'not said'; readonly provider: SocialProvider; readonly refusal: ProviderRefusal }

const finished = async <Outcome>(
  context: ServerContext,
  { app, body }: { readonly app: App; readonly body: { readonly withTokens?: boolean } },
  { handle, provider }: Redeemed,
  answer: Exchanged,
  decide: (proven: ReturnType<typeof provenBy>) => Promise<Outcome>,
): Promise<Finished<Outcome>> => {
  if (answer.type !== 'proven') return { type: 'not said', provider, refusal: answer }
  const isHandedOut = body.withTokens === true && app.config.oauthTokensToHost
  const tokens = isHandedOut
    ? seal(context, handle, 'tokens', JSON.stringify({ provider, ...answer.tokens }))
    : null
  return {
    type: 'said',
    provider,
    outcome: await decide(provenBy(provider, answer.profile)),
    handle,
    tokens,
  }
}

type Said<Outcome> = Extract<Finished<Outcome>, { readonly type: 'said' }>
const tokensIn = (
  context: ServerContext,
  { handle, tokens }: Said<unknown>,
): { readonly oauthTokens?: OAuthTokens } => {
  if (tokens === null) return {}
  return { oauthTokens: v.parse(oauthTokensSchema, JSON.parse(unseal(context, handle, 'tokens', tokens))) }
}

export const oauthEndpoints: readonly Endpoint[] = [
  behindCaptcha(
    replayedEndpoint(oauthRoutes.startOAuth, {
      decide: (trx, { app, body, binding }, context) => beginFlow(trx, context, app, toLogIn(binding), body),
      render: (begun, _call, context) => ({ url: startUrlOf(context, begun) }),
    }),
    { askedOf: 'everybody' },
  ),

  endpoint(oauthRoutes.oauthResult, ({ app, body, binding, wait }, context) =>
    awaitedResult(context, app, toLogIn(binding), body, wait),
  ),

  replayedEndpoint(oauthRoutes.loginWithOAuth, {
    reserve: (trx, { app, body, binding, proof }, context) => {
      // Whatever can be refused without an answer is refused before the code is used up.
      proof()
      return redeemCode(trx, context, app, toLogIn(binding), body)
    },
    ask: {
      ...askOnce,
      run: (redeemed, { app, binding }, context, signal) =>
        askProvider(context, app, toLogIn(binding), redeemed, signal),
    },
    decide: (trx, call, context, { reserved, answer }): Promise<Finished<LoginOutcome>> =>
      finished(context, call, reserved, answer, (proven) =>
        loginWith(trx, context, call.app, proven, call.browser()),
      ),
    render: async (done, call, context) => {
      if (done.type === 'not said') throw refusalError(context, providers[done.provider].title, done.refusal)
      const answer = await loginAnswer(done.outcome, call, context, `${done.provider}_oauth`)
      return { ...answer, ...tokensIn(context, done) }
    },
  }),

  replayedEndpoint(oauthRoutes.linkOAuth, {
    reserve: (trx, { app, body, binding }, context) => redeemCode(trx, context, app, toLogIn(binding), body),
    ask: {
      ...askOnce,
      run: (redeemed, { app, binding }, context, signal) =>
        askProvider(context, app, toLogIn(binding), redeemed, signal),
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
      if (done.type === 'not said') throw refusalError(context, providers[done.provider].title, done.refusal)
      const user = await linkAnswer(done.outcome, call, context, `${done.provider}_oauth`)
      return { ...user, ...tokensIn(context, done) }
    },
  }),

  replayedEndpoint(oauthRoutes.unlinkOAuth, {
    decide: (trx, { body, caller }, context) =>
      unlink(trx, context, caller, { type: `${body.provider}_oauth`, identifier: body.subject }),
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: unlinkAnswer,
  }),
]
