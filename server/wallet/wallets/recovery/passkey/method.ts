import { passkeyEnvelopeSchema } from '@latchkey/protocol/wallet'
import { nowSeconds } from '../../../../kernel/ports.ts'
import { invalidCommit } from '../../custody.ts'
import { openShare, sealToVault } from '../../sealing.ts'
import { readEnvelope, unwrapEnvelope, wrapEnvelope } from '../envelope.ts'
import { isOffered, type OwnRecoveryMethod, recoveryNotAllowed } from '../method.ts'
import { findNewPasskey } from './store.ts'

/** Recovery by passkey: a key derived from the passkey encrypts the share. Released only for an assertion of that passkey. */
export const passkey: OwnRecoveryMethod<'passkey'> = {
  release: 'proven',
  isAllowed: (settings) => isOffered(settings, 'passkey'),
  async store(context, key, share, { envelope, credentialId }) {
    if (share.chain !== 'ethereum') throw recoveryNotAllowed()
    const newPasskey = await findNewPasskey(context.db, share, credentialId, nowSeconds(context.clock))
    if (newPasskey === undefined) throw invalidCommit('The user has no such new passkey')
    const envelopeBytes = await openShare(key, envelope, share)
    return {
      recovery_share: await wrapEnvelope(
        context,
        share,
        envelopeBytes,
        readEnvelope(passkeyEnvelopeSchema, envelopeBytes),
      ),
      recovery_access: newPasskey,
    }
  },
  readBack: async (context, step, stored, share) => ({
    method: 'passkey',
    envelope: await sealToVault(step, await unwrapEnvelope(context, stored, share), share),
  }),
}
