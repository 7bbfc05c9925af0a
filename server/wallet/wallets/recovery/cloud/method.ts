import { type CloudRecovery, keyEnvelopeSchema } from '@latchkey/protocol/wallet'
import { openShare, sealToVault } from '../../sealing.ts'
import { readEnvelope, unwrapEnvelope, wrapEnvelope } from '../envelope.ts'
import { isOffered, type OwnRecoveryMethod } from '../method.ts'

/** Recovery by a cloud file: a key in the user's own file encrypts the share. */
export const cloud = <Name extends CloudRecovery>(name: Name): OwnRecoveryMethod<Name> => ({
  release: 'open',
  isAllowed: (settings) => isOffered(settings, name),
  async store(context, key, share, { envelope }) {
    const envelopeBytes = await openShare(key, envelope, share)
    return {
      recovery_share: await wrapEnvelope(
        context,
        share,
        envelopeBytes,
        readEnvelope(keyEnvelopeSchema, envelopeBytes),
      ),
      recovery_access: null,
    }
  },
  readBack: async (context, step, stored, share) => ({
    method: name,
    envelope: await sealToVault(step, await unwrapEnvelope(context, stored, share), share),
  }),
})
