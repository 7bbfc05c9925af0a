/**
 * Seals what the user typed to the vault of one operation, by HPKE (RFC 9180). Whoever carries it on from here, the
 * wallet frame's page included, can not read it; a password that is sent once opens in no other step.
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  canonicalPasswordContext,
  type OperationStep,
  recoveryInfo,
  type SealedShare,
} from '@latchkey/protocol/wallet'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

export async function sealPassword(
  vaultKey: string,
  operation: OperationStep,
  password: string,
): Promise<SealedShare> {
  const point = Uint8Array.from(atob(fromUrl(vaultKey)), (character) => character.charCodeAt(0))
  const recipientPublicKey = await suite.kem.deserializePublicKey(point)
  const bytes = new TextEncoder().encode(password.normalize('NFKC'))
  try {
    const info = new TextEncoder().encode(recoveryInfo.passwordToVault)
    const { enc, ct } = await suite.seal(
      { recipientPublicKey, info },
      bytes,
      canonicalPasswordContext(operation),
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
