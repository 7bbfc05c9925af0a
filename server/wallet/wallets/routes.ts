import { recoveryRoutes, walletRoutes, walletTokenRoutes } from '@latchkey/protocol/api'
import { requireUser } from '../../identity/users/users.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { addSolanaAddress, assertPurposeEnabled } from './addresses/solana-address.ts'
import { beginWallet } from './begin.ts'
import { committedWallet, requireCustody } from './custody.ts'
import { notifyOfExport, notifyOfImport, notifyOfRecovery, notifyOfRecoveryChange } from './mail.ts'
import { requireMethodAgeForToken } from './method-age.ts'
import { assertMethodAllowed } from './recovery/methods.ts'
import {
  type Attempt,
  countAttempt,
  decideAttempt,
  getPasswordParams,
  isPasswordCorrect,
  renderRecovery,
} from './recovery/password/release.ts'
import { authorizeOpenRelease, sealRelease } from './release.ts'
import { beginReshare, commitReshare, renderReshareStart, storeReshare } from './reshare/reshare.ts'
import { createWalletToken } from './tokens.ts'
import { commitWallet } from './wallets.ts'

export const walletEndpoints: readonly Endpoint[] = [
  endpoint(walletTokenRoutes.walletToken, async ({ app, caller, language, statement, body }, context) => {
    assertPurposeEnabled(app, body.purpose)
    const token = await createWalletToken(context, { caller, language, statement }, body)
    await requireMethodAgeForToken(context, app, caller, body)
    return { token }
  }),

  endpoint(walletRoutes.walletStatus, async ({ caller }, { db }) => ({
    wallet: committedWallet(await requireCustody(db, caller, caller.step.walletId)),
  })),

  endpoint(walletRoutes.beginWallet, ({ caller, body }, context) =>
    beginWallet(context, caller, body.chainType),
  ),

  replayedEndpoint(walletRoutes.commitWallet, {
    // `commitWallet` is idempotent and runs outside a transaction, because it waits for keys. No outcome is stored.
    decide: async () => 'committed' as const,
    perform: async (_outcome, call, context) => {
      const { app, caller, body } = call
      assertMethodAllowed(app, body.recovery.method, true)
      // A call repeated after a crash sends the mail that the first one did not send.
      if (await commitWallet(context, app, caller, body)) await notifyOfImport(call, context)
    },
    render: async (_outcome, { caller, body }, context) => ({
      wallet: committedWallet(await requireCustody(context.db, caller, body.walletId)),
      user: await requireUser(context.db, caller.appId, caller.userId),
    }),
  }),

  replayedEndpoint(walletRoutes.releaseShares, {
    decide: (trx, { app, caller, body }, context) =>
      authorizeOpenRelease(trx, context, app, caller, body.mfaToken),
    perform: async (_released, call, context) => {
      await notifyOfExport(call, context)
      await notifyOfRecovery(call, context)
    },
    render: (released, { caller }, context) => sealRelease(context, caller, released),
  }),

  endpoint(walletRoutes.addSolanaAddress, async ({ app, caller, body }, context) => {
    await addSolanaAddress(context, app, caller, body)
    return {
      wallet: committedWallet(await requireCustody(context.db, caller, caller.step.walletId)),
      user: await requireUser(context.db, caller.appId, caller.userId),
    }
  }),

  endpoint(recoveryRoutes.passwordParams, ({ caller }, context) => getPasswordParams(context, caller)),

  replayedEndpoint(recoveryRoutes.releaseByPassword, {
    reserve: async (trx, { caller, body }, context, previous: Attempt | undefined) =>
      previous ?? countAttempt(trx, context, caller, body.mfaToken),
    // Calls no third party, but waits for keys, which must happen outside a transaction.
    ask: {
      repeatable: true,
      run: (attempt, { caller, body }, context) => isPasswordCorrect(context, caller, attempt, body),
    },
    decide: (trx, { app, caller, body }, context, { reserved, answer: isRight }) =>
      decideAttempt(trx, context, app, caller, { ...reserved, isRight }, body.mfaToken),
    perform: async ({ type }, call, context) => {
      if (type === 'right') await notifyOfRecovery(call, context)
    },
    render: (outcome, { caller }, context) => renderRecovery(outcome, context, caller),
  }),

  replayedEndpoint(recoveryRoutes.beginReshare, {
    decide: (trx, { app, caller, body }, context) => beginReshare(trx, context, app, caller, body.mfaToken),
    render: (opened, { caller }, context) => renderReshareStart(context, caller, opened),
  }),

  endpoint(recoveryRoutes.keepReshare, ({ app, caller, body }, context) =>
    storeReshare(context, app, caller, body),
  ),

  replayedEndpoint(recoveryRoutes.commitReshare, {
    decide: (trx, { caller, body }, context) => commitReshare(trx, context, caller, body.generation),
    perform: (outcome, call, context) => notifyOfRecoveryChange(outcome, call, context),
    render: async (_outcome, { caller }, context) => ({
      wallet: committedWallet(await requireCustody(context.db, caller, caller.step.walletId)),
      user: await requireUser(context.db, caller.appId, caller.userId),
    }),
  }),
]
