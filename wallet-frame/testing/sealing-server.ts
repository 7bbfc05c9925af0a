/** The server's end of sealing, for tests: it opens what a vault sealed, keeps shares, and seals them to a vault. */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  canonicalShareContext,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  sealingInfo,
} from '@latchkey/protocol'
import { fromBase64url, toBase64url } from '../vault/base64url.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const infoOf = (direction: keyof typeof sealingInfo) => new TextEncoder().encode(sealingInfo[direction])
const bytesOf = (text: string) => fromBase64url(text) ?? new Uint8Array()

export async function sealingServer() {
  const keyPair = await suite.kem.generateKeyPair()
  const point = new Uint8Array(await suite.kem.serializePublicKey(keyPair.publicKey))
  const key: ServerSealingKey = { id: 'seal_1', publicKey: toBase64url(point) }
  return {
    key,
    open: async (
      sealed: SealedShare,
      context: ShareContext,
      direction: keyof typeof sealingInfo = 'toServer',
    ) =>
      new Uint8Array(
        await suite.open(
          { recipientKey: keyPair, enc: bytesOf(sealed.enc), info: infoOf(direction) },
          bytesOf(sealed.ct),
          canonicalShareContext(context),
        ),
      ),
  }
}

export async function sealToVault(
  vaultPublicKey: string,
  bytes: Uint8Array<ArrayBuffer>,
  context: ShareContext,
  direction: keyof typeof sealingInfo = 'toVault',
): Promise<SealedShare> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(vaultPublicKey))
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, info: infoOf(direction) },
    bytes,
    canonicalShareContext(context),
  )
  return { v: 1, enc: toBase64url(new Uint8Array(enc)), ct: toBase64url(new Uint8Array(ct)) }
}
