import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import type { VerifiedToken } from '../context.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../http/endpoint.ts'
import { nowSeconds } from '../ports.ts'
import { mintToken } from '../sessions/sessions.ts'
import { releaseShares } from './release.ts'
import { isPointOfCurve } from './sealing.ts'
import { beginWallet, committedWalletOf, commitWallet, walletOf } from './wallets.ts'

export const walletEndpoints: readonly Endpoint[] = [
  endpoint(walletRoutes.walletToken, ({ caller, body }, { clock, config, keyring }) => {
    const vaultKey = body.publicKey
    if (!isPointOfCurve(vaultKey))
      throw new LatchkeyError('invalid_data', 'The public key is not a P-256 point')
    const key = keyring.signingKey()
    return { token: mintToken(key, config.issuer, caller, { scope: 'wallet', vaultKey }, nowSeconds(clock)) }
  }),

  endpoint(walletRoutes.walletStatus, async ({ caller }, context) => ({
    wallet: await walletOf(context, caller),
  })),

  endpoint(walletRoutes.beginWallet, ({ caller }, context) => beginWallet(context, caller)),

  replayedEndpoint(walletRoutes.commitWallet, {
    // The commit decides by itself, in one statement, after it waited for keys: it needs no outcome of its own.
    decide: async () => 'committed' as const,
    perform: (_outcome, { caller, body }, context) => commitWallet(context, caller, body),
    render: (_outcome, { caller }, context) => committedWalletOf(context, caller),
  }),

  endpoint(walletRoutes.releaseShares, ({ caller, body }, context) =>
    releaseShares(context, caller, vaultKeyOf(caller), body),
  ),
]

function vaultKeyOf({ vaultKey }: VerifiedToken): string {
  if (vaultKey === null) throw new LatchkeyError('insufficient_scope', 'This call needs the token of a vault')
  return vaultKey
}
