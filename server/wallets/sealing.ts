/** How a share enters and leaves the server: HPKE (RFC 9180), the parameters of protocol/sealing.ts. */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  canonicalShareContext,
  LatchkeyError,
  type SealedShare,
  type ShareContext,
  sealingInfo,
} from '@latchkey/protocol'
import type { SealingKey } from '../keys/keys.ts'
import { publicKeyOf } from '../sessions/sessions.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const info = {
  toVault: new TextEncoder().encode(sealingInfo.toVault),
  toServer: new TextEncoder().encode(sealingInfo.toServer),
}
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const textOf = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')

export async function openShare(
  key: SealingKey,
  sealed: SealedShare,
  context: ShareContext,
): Promise<Uint8Array> {
  try {
    const opened = await suite.open(
      { recipientKey: key.keyPair, enc: bytesOf(sealed.enc), info: info.toServer },
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

export async function sealToVault(
  vaultKey: string,
  share: Uint8Array,
  context: ShareContext,
): Promise<SealedShare> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(vaultKey))
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, info: info.toVault },
    new Uint8Array(share),
    canonicalShareContext(context),
  )
  return { v: 1, enc: textOf(enc), ct: textOf(ct) }
}

const COORDINATE_BYTES = 32
const UNCOMPRESSED = 4

/** The text is an uncompressed point, written in the one canonical way, and lies on the curve. */
export function isPointOfCurve(publicKey: string): boolean {
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== 1 + 2 * COORDINATE_BYTES || point[0] !== UNCOMPRESSED) return false
  if (point.toString('base64url') !== publicKey) return false
  return (
    publicKeyOf(point.subarray(1, 1 + COORDINATE_BYTES), point.subarray(1 + COORDINATE_BYTES)) !== undefined
  )
}
