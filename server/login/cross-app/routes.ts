import {
  type CrossAppProvider,
  getProviderAppId,
  LatchkeyError,
  type OAuthTokens,
  oauthTokensSchema,
} from '@latchkey/protocol'
import { crossAppRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { findOwnIdentifiers } from '../../identity/users/users.ts'
import type { ServerContext, VerifiedToken } from '../../kernel/context.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { askLimits } from '../../kernel/limits.ts'
import type { Trx } from '../../kernel/ports.ts'
import { type ProviderRefusal, requireProof, walletRefusalError } from '../oauth/oauth.ts'
import { requireLinkingSession } from '../proven.ts'
import { randomSecret, seal, unseal } from '../window/window.ts'
import { type Renewed, walletProviderClient } from './client.ts'
import {
  findProvider,
  listProviders,
  notConnected,
  type Provider,
  requireProvider,
  toConnection,
} from './providers.ts'
import { beginWindow } from './window.ts'

/** The provider, and the user's account there. */
async function requireConnection(
  trx: Trx,
  caller: VerifiedToken,
  provider: CrossAppProvider,
): Promise<{ provider: Provider; subject: string }> {
  const connectedProvider = await requireProvider(trx, caller.appId, provider)
  const start = `${getProviderAppId(provider)}:`
  const account = (await findOwnIdentifiers(trx, caller, 'cross_app')).find((one) => one.startsWith(start))
  if (account === undefined) throw notConnected()
  return { provider: connectedProvider, subject: account.slice(start.length) }
}

/** The stored outcome of the call, with the tokens sealed. */
type Refreshed = { type: 'refreshed'; id: string; tokens: string } | Refused
type Refused = {
  type: 'refused'
  provider: CrossAppProvider
  title: string
  refusal: ProviderRefusal
}

const sealedAs = 'cross-app-tokens'

function refreshed(
  context: ServerContext,
  provider: CrossAppProvider,
  { title, id }: { title: string; id: string },
  answer: Renewed,
): Refreshed {
  if (answer.type !== 'renewed') return { type: 'refused', provider, title, refusal: answer }
  const tokens = JSON.stringify({ provider, ...answer.tokens } satisfies OAuthTokens)
  return { type: 'refreshed', id, tokens: seal(context, id, sealedAs, tokens) }
}

/** A token that the provider rejects has ended for the dialog as well. */
const toRefusalError = (context: ServerContext, { provider, title, refusal }: Refused) =>
  refusal.type === 'wrong code'
    ? // By the provider the dialog knows that it is no token of ours, which it would renew.
      new LatchkeyError('missing_or_invalid_token', 'The connection to this app is over', {
        details: { provider },
      })
    : walletRefusalError(context, title, refusal)

export const crossAppEndpoints: readonly Endpoint[] = [
  endpoint(crossAppRoutes.crossAppConnections, async ({ app }, { db }) => {
    if (!app) throw new LatchkeyError('missing_or_invalid_latchkey_app_id', 'There is no app with this id')
    return { connections: (await listProviders(db, app.id)).map(toConnection) }
  }),

  replayedEndpoint(crossAppRoutes.openCrossAppWindow, {
    async decide(trx, { app, caller, body }, context) {
      const { provider } = await requireConnection(trx, caller, body.provider)
      // The provider offers read access only, so nothing can be signed for this app.
      if (provider.readOnly) throw notConnected()
      await beginWindow(trx, context, app, provider, body)
    },
    render: () => ({ success: true as const }),
  }),

  replayedEndpoint(crossAppRoutes.refreshCrossAppTokens, {
    async reserve(trx, { caller, body }, context) {
      requireProof(body.proof)
      await requireLinkingSession(trx, context, caller)
      const { provider, subject } = await requireConnection(trx, caller, body.provider)
      return { title: provider.name, subject, id: randomSecret() }
    },
    ask: {
      // Refresh tokens can be used once, so the call is never repeated.
      repeatable: false,
      deadlineMs: askLimits.deadlineMs,
      async run({ subject }, { app, body }, context, signal): Promise<Renewed> {
        const provider = await findProvider(context.db, app.id, getProviderAppId(body.provider))
        if (!provider) return { type: 'failed', why: 'the provider is registered no more' }
        return walletProviderClient(context, provider).renew(
          body.refreshToken,
          { subject, proof: body.proof },
          signal,
        )
      },
    },
    decide: async (_trx, { body }, context, { reserved, answer }) =>
      refreshed(context, body.provider, reserved, answer),
    render(outcome, _call, context) {
      if (outcome.type === 'refused') throw toRefusalError(context, outcome)
      return v.parse(oauthTokensSchema, JSON.parse(unseal(context, outcome.id, sealedAs, outcome.tokens)))
    },
  }),
]
