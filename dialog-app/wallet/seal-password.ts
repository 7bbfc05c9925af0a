/**
 * Seals a secret that is here to the vault that is to have it, by HPKE (RFC 9180). Whoever carries it on from here, the
 * wallet frame's page included, can not read it; a password that is sent once opens in no other step.
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  canonicalPasswordContext,
  type OperationStep,
  recoveryInfo,
  type SealedShare,
  sealingInfo,
} from '@latchkey/protocol/wallet'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

export const sealPassword = (vaultKey: string, operation: OperationStep, password: string) =>
  seal(
    vaultKey,
    password.normalize('NFKC'),
    recoveryInfo.passwordToVault,
    canonicalPasswordContext(operation),
  )

/** Of a key that a host brought. The key pair of the vault is of one use. */
export const sealPrivateKey = (vaultKey: string, privateKey: string) =>
  seal(vaultKey, privateKey, sealingInfo.keyToVault, new Uint8Array(0))

async function seal(
  vaultKey: string,
  secret: string,
  as: string,
  about: Uint8Array<ArrayBuffer>,
): Promise<SealedShare> {
  const point = Uint8Array.from(atob(fromUrl(vaultKey)), (character) => character.charCodeAt(0))
  const recipientPublicKey = await suite.kem.deserializePublicKey(point)
  const bytes = new TextEncoder().encode(secret)
  try {
    const info = new TextEncoder().encode(as)
    const { enc, ct } = await suite.seal({ recipientPublicKey, info }, bytes, about)
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
