/** Signatures by Ed25519 (RFC 8032) with raw keys. */
import { createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** The PKCS #8 header of a seed (RFC 8410). */
const seedHeader = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Creates a key from a seed of 32 bytes. */
export function createEd25519Key(seed: Uint8Array): KeyObject {
  const key = Buffer.concat([seedHeader, seed])
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  } finally {
    key.fill(0)
  }
}

/** Returns the 32 bytes of the public key. */
export const getEd25519PublicKey = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')

/** Throws unless the public key has 32 bytes. */
export const isEd25519Signature = (
  bytes: Uint8Array,
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean => verify(null, bytes, toKey(publicKey), signature)

const toKey = (bytes: Uint8Array) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') },
    format: 'jwk',
  })
