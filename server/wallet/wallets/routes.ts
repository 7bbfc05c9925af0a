import { recoveryRoutes, walletRoutes, walletTokenRoutes } from '@latchkey/protocol/api'
import { requireUser } from '../../identity/users/users.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { committedWallet, requireCustody } from './custody.ts'
import { notifyOfImport, tellOfExport, tellOfRecovered, tellOfRecovery } from './mail.ts'
import { requireMayBegin } from './not-new.ts'
import { assertMethodAllowed } from './recovery/methods.ts'
import {
  countTry,
  decideTry,
  isPassword,
  passwordParams,
  recoveredAnswer,
  type Try,
} from './recovery/password/release.ts'
import { countOpenRelease, sealRelease } from './release.ts'
import { begunReshare, commitReshare, keepReshare, openReshare } from './reshare/reshare.ts'
import { walletToken } from './tokens.ts'
import { beginWallet, commitWallet } from './wallets.ts'

export const walletEndpoints: readonly Endpoint[] = [
  endpoint(walletTokenRoutes.walletToken, async ({ app, caller, language, statement, body }, context) => {
    const token = await walletToken(context, { caller, language, statement }, body)
    await requireMayBegin(context, app, caller, body)
    return { token }
  }),

  endpoint(walletRoutes.walletStatus, async ({ caller }, { db }) => ({
    wallet: committedWallet(await requireCustody(db, caller, caller.step.walletId)),
  })),

  endpoint(walletRoutes.beginWallet, ({ caller, body }, context) =>
    beginWallet(context, caller, body.chainType),
  ),

  replayedEndpoint(walletRoutes.commitWallet, {
    // The commit decides by itself, in one statement, after it waited for keys: it needs no outcome of its own.
    decide: async () => 'committed' as const,
    perform: async (_outcome, call, context) => {
      const { app, caller, body } = call
      assertMethodAllowed(app, body.recovery.method, true)
      // A call that is repeated after a crash sends the mail that the first one did not.
      if (await commitWallet(context, app, caller, body)) await notifyOfImport(call, context)
    },
    render: async (_outcome, { caller, body }, context) => ({
      wallet: committedWallet(await requireCustody(context.db, caller, body.walletId)),
      user: await requireUser(context.db, caller.appId, caller.userId),
    }),
  }),

  replayedEndpoint(walletRoutes.releaseShares, {
    decide: (trx, { app, caller, body }, context) =>
      countOpenRelease(trx, context, app, caller, body.mfaToken),
    perform: async (_released, call, context) => {
      await tellOfExport(call, context)
      await tellOfRecovered(call, context)
    },
    render: (released, { caller }, context) => sealRelease(context, caller, released),
  }),

  endpoint(recoveryRoutes.passwordParams, ({ caller }, context) => passwordParams(context, caller)),

  replayedEndpoint(recoveryRoutes.releaseByPassword, {
    reserve: async (trx, { caller, body }, context, before: Try | undefined) =>
      before ?? countTry(trx, context, caller, body.mfaToken),
    // Nobody outside is asked: keys are waited for outside of transactions.
    ask: {
      repeatable: true,
      run: (tried, { caller, body }, context) => isPassword(context, caller, tried, body),
    },
    decide: (trx, { app, caller, body }, context, { reserved, answer: isRight }) =>
      decideTry(trx, context, app, caller, { ...reserved, isRight }, body.mfaToken),
    perform: async ({ type }, call, context) => {
      if (type === 'right') await tellOfRecovered(call, context)
    },
    render: (outcome, { caller }, context) => recoveredAnswer(outcome, context, caller),
  }),

  replayedEndpoint(recoveryRoutes.beginReshare, {
    decide: (trx, { app, caller, body }, context) => openReshare(trx, context, app, caller, body.mfaToken),
    render: (opened, { caller }, context) => begunReshare(context, caller, opened),
  }),

  endpoint(recoveryRoutes.keepReshare, ({ app, caller, body }, context) =>
    keepReshare(context, app, caller, body),
  ),

  replayedEndpoint(recoveryRoutes.commitReshare, {
    decide: (trx, { caller, body }, context) => commitReshare(trx, context, caller, body.generation),
    perform: (outcome, call, context) => tellOfRecovery(outcome, call, context),
    render: async (_outcome, { caller }, context) => ({
      wallet: committedWallet(await requireCustody(context.db, caller, caller.step.walletId)),
      user: await requireUser(context.db, caller.appId, caller.userId),
    }),
  }),
]
