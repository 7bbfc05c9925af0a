import { LatchkeyError } from '@latchkey/protocol'
import { siweRoutes } from '@latchkey/protocol/api'
import { findOwnIdentifiers, findWalletName } from '../../identity/users/users.ts'
import { requireCaptcha } from '../../integrations/captcha/captcha.ts'
import { type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { isOwnWallet } from '../../wallet/wallets/wallets.ts'
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
  askSignature,
  beginSiwe,
  type Claim,
  decideSignature,
  readClaim,
  refusedForItsKeeper,
  requireAddress,
  signatureRefusal,
  toProvenLogin,
} from './siwe.ts'

export const siweEndpoints: readonly Endpoint[] = [
  requireCaptcha(
    replayedEndpoint(siweRoutes.beginSiwe, {
      decide: async (trx, { app, body, binding }, context) => {
        const origin = body.origin ?? context.config.dialogOrigin
        return beginSiwe(trx, context, app, { address: body.address, origin, binding })
      },
      render: (made) => made,
    }),
  ),

  countedLogin(
    'wallet',
    replayedEndpoint(siweRoutes.loginWithSiwe, {
      reserve: async (trx, { app, body, binding }, context, before: Claim | undefined) =>
        readClaim(trx, context, app, body, binding, before),
      ask: {
        repeatable: true,
        run: (claim, { body }, context, signal) => askSignature(context, claim, body, signal),
      },
      decide: async (trx, call, context, { reserved: claim, answer }) => {
        const decided = await decideSignature(trx, claim, answer)
        if (decided.type === 'not_proven') return decided
        const { wallet } = decided
        const refused = await refusedForItsKeeper(trx, context, call.app.id, claim, wallet)
        return (
          refused ??
          loginWith(trx, context, call.app, toProvenLogin(claim, wallet, call.body), call.browser())
        )
      },
      render: (outcome, call, context) => {
        if (outcome.type === 'not_proven') throw signatureRefusal(outcome.why)
        return loginAnswer(outcome, call, context, 'wallet')
      },
    }),
  ),

  replayedEndpoint(siweRoutes.linkWallet, {
    reserve: async (trx, { app, body, binding }, context, before: Claim | undefined) =>
      readClaim(trx, context, app, body, binding, before),
    ask: {
      repeatable: true,
      run: (claim, { body }, context, signal) => askSignature(context, claim, body, signal),
    },
    decide: async (trx, { body, caller }, context, { reserved: claim, answer }) => {
      await requireLinkingSession(trx, context, caller)
      const decided = await decideSignature(trx, claim, answer)
      if (decided.type === 'not_proven') return decided
      const { wallet } = decided
      const refused = await refusedForItsKeeper(trx, context, caller.appId, claim, wallet, caller.userId)
      return refused ?? linkWith(trx, context, caller, toProvenLogin(claim, wallet, body))
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => {
      if (outcome.type === 'not_proven') throw signatureRefusal(outcome.why)
      return linkAnswer(outcome, call, context, 'wallet')
    },
  }),

  replayedEndpoint(siweRoutes.unlinkWallet, {
    decide: async (trx, { body, caller }, context) => {
      const address = requireAddress(body.address)
      const own = await findOwnIdentifiers(trx, caller, 'wallet')
      const outcome = await unlink(trx, context, caller, findWalletName(own, address))
      const isOurs = outcome.type === 'refused' && (await isOwnWallet(trx, caller.appId, address))
      return isOurs ? ({ type: 'ours' } as const) : outcome
    },
    perform: (outcome, call, context) => tellOfLogins(outcome, call, context),
    render: (outcome, call, context) => {
      if (outcome.type !== 'ours') return unlinkAnswer(outcome, call, context)
      throw new LatchkeyError(
        'cannot_unlink_embedded_wallet',
        'A wallet that is kept here can not be unlinked',
      )
    },
  }),
]
