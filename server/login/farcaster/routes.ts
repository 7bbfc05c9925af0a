import { channelTokenHeader, farcasterRoutes } from '@latchkey/protocol/api'
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
import {
  accountIdentifier,
  checkOwner,
  decideOwner,
  keepChannel,
  knownSigner,
  newAsking,
  openChannel,
  openSealedChannel,
  ownerRefusal,
  pollStatus,
  readClaim,
  requireFarcasterLogin,
  sealedChannel,
  toChallengeKey,
  toProvenLogin,
} from './farcaster.ts'

export const farcasterEndpoints: readonly Endpoint[] = [
  requireCaptcha(
    replayedEndpoint(farcasterRoutes.beginFarcaster, {
      reserve: async (_trx, { app, body }, context) => {
        requireFarcasterLogin(context, app)
        return newAsking(context, app, body.origin ?? context.config.dialogOrigin)
      },
      ask: {
        // An abandoned channel expires by itself.
        repeatable: true,
        run: (asking, _call, context, signal) => openChannel(context, asking, signal),
      },
      decide: async (trx, { app, binding }, context, { reserved: asking, answer: opened }) => {
        const key = toChallengeKey(app, opened.channelToken, binding)
        await keepChannel(trx, context, key, asking)
        return sealedChannel(context, key, opened)
      },
      render: (sealed, _call, context) => openSealedChannel(context, sealed),
    }),
    { requiredOf: 'everybody' },
  ),

  endpoint(farcasterRoutes.farcasterStatus, async ({ app, binding, headers, wait }, context) => {
    requireFarcasterLogin(context, app)
    const token = headers[channelTokenHeader]
    return pollStatus(context, toChallengeKey(app, token, binding), token, wait)
  }),

  countedLogin(
    'farcaster',
    replayedEndpoint(farcasterRoutes.loginWithFarcaster, {
      reserve: async (trx, { app, body, binding }, context) => {
        requireFarcasterLogin(context, app)
        return readClaim(trx, context, toChallengeKey(app, body.channelToken, binding), body)
      },
      ask: {
        repeatable: true,
        run: (claim, { body }, context, signal) => checkOwner(context, claim, body, signal),
      },
      decide: async (trx, { app, body, browser }, context, { reserved: claim, answer }) => {
        const decided = await decideOwner(trx, claim, answer)
        if (decided.type !== 'right') return decided
        const login = toProvenLogin(claim, body, await knownSigner(trx, app, body))
        return loginWith(trx, context, app, login, browser())
      },
      render: (outcome, call, context) => {
        if (outcome.type === 'not_proven') throw ownerRefusal(outcome.why)
        return loginAnswer(outcome, call, context, 'farcaster')
      },
    }),
  ),

  replayedEndpoint(farcasterRoutes.linkFarcaster, {
    reserve: async (trx, { app, body, binding }, context) => {
      requireFarcasterLogin(context, app)
      return readClaim(trx, context, toChallengeKey(app, body.channelToken, binding), body)
    },
    ask: {
      repeatable: true,
      run: (claim, { body }, context, signal) => checkOwner(context, claim, body, signal),
    },
    decide: async (trx, { app, body, caller }, context, { reserved: claim, answer }) => {
      await requireLinkingSession(trx, context, caller)
      const decided = await decideOwner(trx, claim, answer)
      if (decided.type !== 'right') return decided
      return linkWith(trx, context, caller, toProvenLogin(claim, body, await knownSigner(trx, app, body)))
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => {
      if (outcome.type === 'not_proven') throw ownerRefusal(outcome.why)
      return linkAnswer(outcome, call, context, 'farcaster')
    },
  }),

  // Allowed even if the app has disabled Farcaster: it needs no proof, and the account is the user's.
  replayedEndpoint(farcasterRoutes.unlinkFarcaster, {
    decide: (trx, { caller, body }, context) =>
      unlink(trx, context, caller, { type: 'farcaster', identifier: accountIdentifier(body.fid) }),
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: unlinkAnswer,
  }),
]
