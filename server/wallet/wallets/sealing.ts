/** Opens and seals shares with HPKE (RFC 9180) and the parameters of `protocol/vault/shares.ts`. */
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
const infos = {
  toVault: new TextEncoder().encode(sealingInfo.toVault),
  toServer: new TextEncoder().encode(sealingInfo.toServer),
  accessToServer: new TextEncoder().encode(recoveryInfo.accessToServer),
}
const fromBase64url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const toBase64url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')

export const openShare = (key: SealingKey, sealed: SealedShare, context: ShareContext) =>
  openSealed(key, sealed, infos.toServer, context)

/** Opens the access key that proves knowledge of a recovery password. */
export const openAccess = (key: SealingKey, sealed: SealedShare, context: ShareContext) =>
  openSealed(key, sealed, infos.accessToServer, context)

async function openSealed(
  key: SealingKey,
  sealed: SealedShare,
  info: Uint8Array,
  context: ShareContext,
): Promise<Uint8Array> {
  try {
    const plaintext = await suite.open(
      { recipientKey: key.keyPair, enc: fromBase64url(sealed.enc), info },
      fromBase64url(sealed.ct),
      canonicalShareContext(context),
    )
    return new Uint8Array(plaintext)
  } catch (cause) {
    throw new LatchkeyError('share_malformed', 'A share was not sealed to this server for this wallet', {
      details: { role: context.role },
      cause,
    })
  }
}

export type SealTarget = ReleaseTarget & {
  vaultKey: string
}

/** Seals a share to one vault and one step. The vault can open it only to perform that step. */
export async function sealToVault(
  { vaultKey, ...release }: SealTarget,
  share: Uint8Array,
  context: ShareContext,
): Promise<SealedShare> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64url(vaultKey))
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, info: infos.toVault },
    new Uint8Array(share),
    canonicalReleaseContext(context, release),
  )
  return { v: 1, enc: toBase64url(enc), ct: toBase64url(ct) }
}
