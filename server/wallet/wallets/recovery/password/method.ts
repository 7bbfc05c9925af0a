/**
 * What a password encrypted goes out only to who knows that password. They show it by an access key that Argon2id makes
 * of it, of which the server has an HMAC.
 */
import { createHmac } from 'node:crypto'
import {
  canonicalShareContext,
  type PasswordEnvelope,
  passwordEnvelopeSchema,
  type SealedShare,
  type ShareContext,
} from '@latchkey/protocol/wallet'
import type { ServerContext } from '../../../../kernel/context.ts'
import { equalsInConstantTime, namingPepper, pepperNamedBy } from '../../../../kernel/keys/keys.ts'
import { openAccess } from '../../sealing.ts'
import { readEnvelope, unwrapEnvelope, wrapEnvelope } from '../envelope.ts'
import { isOffered, type OwnRecoveryMethod, recoveryNotAllowed } from '../method.ts'

export const password: OwnRecoveryMethod<'user-passcode'> = {
  release: 'proven',
  isAllowed: (settings) =>
    isOffered(settings, 'user-passcode') || settings.requireUserPasswordOnCreate === true,
  async store(context, key, share, { envelope, access }) {
    // A Solana wallet has automatic recovery alone.
    if (share.chain !== 'ethereum') throw recoveryNotAllowed()
    return {
      recovery_share: await wrapEnvelope(context, share, Buffer.from(envelope), envelopeIn(envelope)),
      recovery_access: hashOfAccess(
        context,
        await openAccess(key, access, share),
        share,
        context.keyring.pepperInUse(),
      ),
    }
  },
  readBack: async (context, _step, stored, share) => ({
    method: 'user-passcode',
    envelope: await passwordEnvelope(context, stored, share),
  }),
}

/** Gives the envelope as the vault made it. */
export async function passwordEnvelope(
  context: ServerContext,
  stored: string,
  share: ShareContext,
): Promise<string> {
  return Buffer.from(await unwrapEnvelope(context, stored, share)).toString()
}

/** Costs below the floor are none: whoever has the database tries no password for less. */
export const envelopeIn = (text: string): PasswordEnvelope | undefined =>
  readEnvelope(passwordEnvelopeSchema, Buffer.from(text))

/** Whether it shows that somebody knows the password. The same answer to whatever is wrong with it. */
export async function isAccess(
  context: ServerContext,
  kept: string | null,
  access: { sealingKeyId: string; sealed: SealedShare },
  share: ShareContext,
): Promise<boolean> {
  const key = await context.keyring.sealingKeyOf(access.sealingKeyId)
  if (!key || kept === null) return false
  const opened = await openAccess(key, access.sealed, share).catch(() => undefined)
  if (!opened) return false
  const pepper = pepperNamedBy(kept)
  await context.keyring.learnPepper(pepper)
  return equalsInConstantTime(kept, hashOfAccess(context, opened, share, pepper))
}

/** Under a key that is in no database: who has the rows alone can try no password. */
function hashOfAccess(
  { keyring }: ServerContext,
  access: Uint8Array,
  share: ShareContext,
  pepper: string,
): string {
  try {
    const hash = createHmac('sha256', keyring.pepper('recovery-access', pepper))
      .update(canonicalShareContext(share))
      .update(access)
      .digest('base64url')
    return namingPepper(pepper, hash)
  } finally {
    access.fill(0)
  }
}
