import { type CloudRecovery, keyEnvelopeSchema } from '@latchkey/protocol/wallet'
import { openShare, sealToVault } from '../../sealing.ts'
import { readEnvelope, unwrapEnvelope, wrapEnvelope } from '../envelope.ts'
import { isOffered, type OwnRecoveryMethod } from '../method.ts'

/** The key in a file of the user's own encrypted the share: what it encrypted leaves sealed. */
export const cloud = <Name extends CloudRecovery>(name: Name): OwnRecoveryMethod<Name> => ({
  release: 'open',
  isAllowed: (settings) => isOffered(settings, name),
  async store(context, key, share, { envelope }) {
    const opened = await openShare(key, envelope, share)
    return {
      recovery_share: await wrapEnvelope(context, share, opened, readEnvelope(keyEnvelopeSchema, opened)),
      recovery_access: null,
    }
  },
  readBack: async (context, step, stored, share) => ({
    method: name,
    envelope: await sealToVault(step, await unwrapEnvelope(context, stored, share), share),
  }),
})
