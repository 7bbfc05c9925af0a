/**
 * Seals what the user gave to the vault of one operation, by HPKE (RFC 9180). Whoever carries it on from here, the
 * wallet frame's page included, can not read it; what is sent once opens in no other step.
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { type SealedShare, sealingInfo } from '@latchkey/protocol/wallet'
import { fromBase64url, toBase64url } from '../../browser/base64url.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

type Sealing = {
  vaultKey: string
  info: string
  /** What it is bound to. */
  about: Uint8Array<ArrayBuffer>
}

/** The bytes are zeroed by this. */
async function sealToVault(
  { vaultKey, info, about }: Sealing,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<SealedShare> {
  try {
    const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64url(vaultKey))
    const { enc, ct } = await suite.seal(
      { recipientPublicKey, info: new TextEncoder().encode(info) },
      // The library copies what is no ArrayBuffer, and leaves its copy behind.
      bytes.buffer,
      about,
    )
    return { v: 1, enc: toBase64url(new Uint8Array(enc)), ct: toBase64url(new Uint8Array(ct)) }
  } finally {
    bytes.fill(0)
  }
}

/** The same of a text. */
function sealTextToVault(sealing: Sealing, text: string): Promise<SealedShare> {
  const encoded = new TextEncoder().encode(text)
  // An array of its own: an encoder may give out a part of a larger one.
  const bytes = new Uint8Array(encoded)
  encoded.fill(0)
  return sealToVault(sealing, bytes)
}

/** Seals a key that a host brought. The key pair of the vault is of one use, so nothing else is to be named. */
export const sealPrivateKey = (vaultKey: string, privateKey: string): Promise<SealedShare> =>
  sealTextToVault({ vaultKey, info: sealingInfo.keyToVault, about: new Uint8Array(0) }, privateKey)
