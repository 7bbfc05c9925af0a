/** AES-256-GCM for all encrypted database values: `nonce ‖ ciphertext ‖ tag`, with a fresh nonce each time. */
import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function encrypt(key: CipherKey, plaintext: Uint8Array, context: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(context)
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** Throws if the key or the context differs, or if the data was modified. */
export function decrypt(key: CipherKey, encrypted: Uint8Array, context: Uint8Array): Buffer {
  if (encrypted.length < nonceBytes + tagBytes) throw new Error('The ciphertext is too short')
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(context)
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes, -tagBytes)), decipher.final()])
}
