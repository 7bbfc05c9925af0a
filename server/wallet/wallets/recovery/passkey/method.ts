import { passkeyEnvelopeSchema } from '@latchkey/protocol/wallet'
import { nowSeconds } from '../../../../kernel/ports.ts'
import { invalidCommit } from '../../custody.ts'
import { openShare, sealToVault } from '../../sealing.ts'
import { readEnvelope, unwrapEnvelope, wrapEnvelope } from '../envelope.ts'
import { isOffered, type OwnRecoveryMethod, recoveryNotAllowed } from '../method.ts'
import { findNewPasskey } from './store.ts'

/** The key of a passkey encrypted the share. What it encrypted leaves sealed, for an answer of that passkey. */
export const passkey: OwnRecoveryMethod<'passkey'> = {
  release: 'proven',
  isAllowed: (settings) => isOffered(settings, 'passkey'),
  async store(context, key, share, { envelope, credentialId }) {
    if (share.chain !== 'ethereum') throw recoveryNotAllowed()
    const made = await findNewPasskey(context.db, share, credentialId, nowSeconds(context.clock))
    if (made === undefined) throw invalidCommit('There is no such new passkey of this user')
    const opened = await openShare(key, envelope, share)
    return {
      recovery_share: await wrapEnvelope(context, share, opened, readEnvelope(passkeyEnvelopeSchema, opened)),
      recovery_access: made,
    }
  },
  readBack: async (context, step, stored, share) => ({
    method: 'passkey',
    envelope: await sealToVault(step, await unwrapEnvelope(context, stored, share), share),
  }),
}
