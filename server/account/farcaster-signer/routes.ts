import { farcasterSignerRoutes } from '@latchkey/protocol/api'
import { toSignerReleaseContext } from '@latchkey/protocol/wallet'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { sealSignatureRelease } from '../../wallet/wallets/wallets.ts'
import {
  decideInit,
  type ReleasedSigner,
  releaseForKey,
  releaseToSign,
  requestSigner,
  reserveInit,
  type SignerToAsk,
  signerStatus,
} from './signers.ts'

const sealed = async (
  context: ServerContext,
  caller: WalletToken,
  released: ReleasedSigner,
  hash: string | undefined,
) => ({
  ...(await sealSignatureRelease(context, caller, released, toSignerReleaseContext(hash))),
  keyIndex: released.keyIndex,
})

export const signerEndpoints: readonly Endpoint[] = [
  replayedEndpoint(farcasterSignerRoutes.releaseForSigner, {
    decide: (trx, { app, caller, body }, context) => releaseForKey(trx, context, app, caller, body.mfaToken),
    render: (released, { caller }, context) => sealed(context, caller, released, undefined),
  }),

  replayedEndpoint(farcasterSignerRoutes.initSigner, {
    reserve: async (trx, { app, caller, body }, context, previous: SignerToAsk | undefined) =>
      previous ?? reserveInit(trx, context, app, caller, body),
    ask: {
      // An unanswered request expires without effect.
      repeatable: true,
      run: (asked, { app }, context, signal) => requestSigner(context, app, asked, signal),
    },
    decide: (trx, { caller }, context, { reserved, answer }) =>
      decideInit(trx, context, caller, reserved, answer),
    render: (signer) => signer,
  }),

  replayedEndpoint(farcasterSignerRoutes.releaseToSignForFarcaster, {
    decide: (trx, { app, caller, body }, context) => releaseToSign(trx, context, app, caller, body),
    render: (released, { caller, body }, context) => sealed(context, caller, released, body.hash),
  }),

  endpoint(farcasterSignerRoutes.signerStatus, ({ app, caller, body }, context) =>
    signerStatus(context, app, caller, body.ed25519PublicKey),
  ),
]
