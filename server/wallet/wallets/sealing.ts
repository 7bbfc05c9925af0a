/** How a share enters and leaves the server: HPKE (RFC 9180), the parameters of `protocol/vault/shares.ts`. */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { LatchkeyError } from '@latchkey/protocol'
import {
  canonicalReleaseContext,
  canonicalShareContext,
  type ReleaseTarget,
  recoveryInfo,
  type SealedShare,
  type ShareContext,
  sealingInfo,
} from '@latchkey/protocol/wallet'
import type { SealingKey } from '../../kernel/keys/keys.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const info = {
  toVault: new TextEncoder().encode(sealingInfo.toVault),
  toServer: new TextEncoder().encode(sealingInfo.toServer),
  accessToServer: new TextEncoder().encode(recoveryInfo.accessToServer),
}
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const textOf = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')

export const openShare = (key: SealingKey, sealed: SealedShare, context: ShareContext) =>
  openSealed(key, sealed, info.toServer, context)

/** What shows that somebody knows a password. */
export const openAccess = (key: SealingKey, sealed: SealedShare, context: ShareContext) =>
  openSealed(key, sealed, info.accessToServer, context)

async function openSealed(
  key: SealingKey,
  sealed: SealedShare,
  as: Uint8Array,
  context: ShareContext,
): Promise<Uint8Array> {
  try {
    const opened = await suite.open(
      { recipientKey: key.keyPair, enc: bytesOf(sealed.enc), info: as },
      bytesOf(sealed.ct),
      canonicalShareContext(context),
    )
    return new Uint8Array(opened)
  } catch (cause) {
    throw new LatchkeyError('share_malformed', 'A share was not sealed to this server for this wallet', {
      details: { role: context.role },
      cause,
    })
  }
}

export type SealedFor = ReleaseTarget & {
  vaultKey: string
}

/** Opens in the one vault, and there in the one step that it was asked for, to sign what the step names. */
export async function sealToVault(
  { vaultKey, ...releasedFor }: SealedFor,
  share: Uint8Array,
  context: ShareContext,
): Promise<SealedShare> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(vaultKey))
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, info: info.toVault },
    new Uint8Array(share),
    canonicalReleaseContext(context, releasedFor),
  )
  return { v: 1, enc: textOf(enc), ct: textOf(ct) }
}
