/**
 * Seals user input to the vault of one operation by HPKE (RFC 9180). No relay can read it, the wallet frame's page
 * included, and a sealed value opens in no other step.
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
  /** The additional authenticated data. */
  about: Uint8Array<ArrayBuffer>
}

/** Zeroes the bytes afterwards. */
async function sealToVault(
  { vaultKey, info, about }: Sealing,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<SealedShare> {
  try {
    const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64url(vaultKey))
    const { enc, ct } = await suite.seal(
      { recipientPublicKey, info: new TextEncoder().encode(info) },
      // The library copies everything but an ArrayBuffer, and does not zero its copy.
      bytes.buffer,
      about,
    )
    return { v: 1, enc: toBase64url(new Uint8Array(enc)), ct: toBase64url(new Uint8Array(ct)) }
  } finally {
    bytes.fill(0)
  }
}

function sealTextToVault(sealing: Sealing, text: string): Promise<SealedShare> {
  const encoded = new TextEncoder().encode(text)
  // A copy, because the encoder may return a view of a larger buffer.
  const bytes = new Uint8Array(encoded)
  encoded.fill(0)
  return sealToVault(sealing, bytes)
}

/** Seals a private key from the host page. The vault's key pair is single-use, so no further binding is needed. */
export const sealPrivateKey = (vaultKey: string, privateKey: string): Promise<SealedShare> =>
  sealTextToVault({ vaultKey, info: sealingInfo.keyToVault, about: new Uint8Array(0) }, privateKey)
