/**
 * Recovery by password. The user proves the password with an access key that Argon2id derives from it. The server
 * stores only an HMAC of the access key.
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
import { addPepperName, equalsInConstantTime, getPepperName } from '../../../../kernel/keys/keys.ts'
import { openAccess } from '../../sealing.ts'
import { readEnvelope, unwrapEnvelope, wrapEnvelope } from '../envelope.ts'
import { isOffered, type OwnRecoveryMethod, recoveryNotAllowed } from '../method.ts'

export const password: OwnRecoveryMethod<'user-passcode'> = {
  release: 'proven',
  isAllowed: (settings) =>
    isOffered(settings, 'user-passcode') || settings.requireUserPasswordOnCreate === true,
  async store(context, key, share, { envelope, access }) {
    // A Solana wallet supports only automatic recovery.
    if (share.chain !== 'ethereum') throw recoveryNotAllowed()
    return {
      recovery_share: await wrapEnvelope(
        context,
        share,
        Buffer.from(envelope),
        parsePasswordEnvelope(envelope),
      ),
      recovery_access: hashAccessKey(
        context,
        await openAccess(key, access, share),
        share,
        context.keyring.pepperInUse(),
      ),
    }
  },
  readBack: async (context, _step, stored, share) => ({
    method: 'user-passcode',
    envelope: await readPasswordEnvelope(context, stored, share),
  }),
}

/** Returns the envelope as the vault created it. */
export async function readPasswordEnvelope(
  context: ServerContext,
  stored: string,
  share: ShareContext,
): Promise<string> {
  return Buffer.from(await unwrapEnvelope(context, stored, share)).toString()
}

/** Parses an envelope. Rejects Argon2id costs below the minimum, which would make guesses from the database cheap. */
export const parsePasswordEnvelope = (text: string): PasswordEnvelope | undefined =>
  readEnvelope(passwordEnvelopeSchema, Buffer.from(text))

/** Whether the access key matches the stored hash. Returns false for every error, so that errors leak nothing. */
export async function isAccessKeyValid(
  context: ServerContext,
  storedHash: string | null,
  access: { sealingKeyId: string; sealed: SealedShare },
  share: ShareContext,
): Promise<boolean> {
  const key = await context.keyring.sealingKeyById(access.sealingKeyId)
  if (!key || storedHash === null) return false
  const accessKey = await openAccess(key, access.sealed, share).catch(() => undefined)
  if (!accessKey) return false
  const pepper = getPepperName(storedHash)
  await context.keyring.loadPepper(pepper)
  return equalsInConstantTime(storedHash, hashAccessKey(context, accessKey, share, pepper))
}

/** Hashes with a pepper that is in no database, so that the rows alone allow no password guesses. */
function hashAccessKey(
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
    return addPepperName(pepper, hash)
  } finally {
    access.fill(0)
  }
}
