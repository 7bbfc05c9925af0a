import { walletRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../http/endpoint.ts'
import { requireUser } from '../users/users.ts'
import { committedWallet, requireCustody } from './custody.ts'
import { countRelease, sealRelease } from './release.ts'
import { walletToken } from './tokens.ts'
import { beginWallet, commitWallet } from './wallets.ts'

export const walletEndpoints: readonly Endpoint[] = [
  endpoint(walletRoutes.walletToken, async ({ caller, body }, context) => ({
    token: await walletToken(context, caller, body),
  })),

  endpoint(walletRoutes.walletStatus, async ({ caller }, { db }) => ({
    wallet: committedWallet(await requireCustody(db, caller, caller.step.walletId)),
  })),

  endpoint(walletRoutes.beginWallet, ({ caller, body }, context) =>
    beginWallet(context, caller, body.chainType),
  ),

  replayedEndpoint(walletRoutes.commitWallet, {
    // The commit decides by itself, in one statement, after it waited for keys: it needs no outcome of its own.
    decide: async () => 'committed' as const,
    perform: (_outcome, { caller, body }, context) => commitWallet(context, caller, body),
    render: async (_outcome, { caller, body }, context) => ({
      wallet: committedWallet(await requireCustody(context.db, caller, body.walletId)),
      user: await requireUser(context.db, caller.appId, caller.userId),
    }),
  }),

  replayedEndpoint(walletRoutes.releaseShares, {
    decide: (trx, { caller, body }, context) => countRelease(trx, context, caller, body.mfaToken),
    render: (released, { caller }, context) => sealRelease(context, caller, released),
  }),
]
