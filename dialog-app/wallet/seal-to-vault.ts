/**
 * Seals what the user gave to the vault of one operation, by HPKE (RFC 9180). Whoever carries it on from here, the
 * wallet frame's page included, can not read it; what is sent once opens in no other step.
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import type { SealedShare } from '@latchkey/protocol/wallet'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

type Sealing = {
  readonly vaultKey: string
  readonly info: string
  /** What it is bound to. */
  readonly about: Uint8Array<ArrayBuffer>
}

/** The bytes are zeroed by this. */
export async function sealToVault(
  { vaultKey, info, about }: Sealing,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<SealedShare> {
  try {
    const point = Uint8Array.from(atob(fromUrl(vaultKey)), (character) => character.charCodeAt(0))
    const recipientPublicKey = await suite.kem.deserializePublicKey(point)
    const { enc, ct } = await suite.seal(
      { recipientPublicKey, info: new TextEncoder().encode(info) },
      // The library copies what is no ArrayBuffer, and leaves its copy behind.
      bytes.buffer,
      about,
    )
    return { v: 1, enc: toUrl(enc), ct: toUrl(ct) }
  } finally {
    bytes.fill(0)
  }
}

const fromUrl = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/')
const toUrl = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
