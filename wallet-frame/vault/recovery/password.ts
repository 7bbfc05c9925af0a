/**
 * Derives two keys from a password by Argon2id and HKDF. One encrypts the recovery share; the server compares
 * the other. Neither reveals the other, nor a key of another wallet or generation.
 */
import { passwordLimits } from '@latchkey/protocol'
import {
  canonicalSalt,
  type PasswordParams,
  passwordKeyInfo,
  type ShareContext,
} from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import { argon2id } from 'hash-wasm'
import { type SecretBytes, withSecret } from '../keys/secret-bytes.ts'

const KEY_BITS = 256

export const createPasswordParams = (): PasswordParams => ({
  salt: base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(passwordLimits.saltBytes))),
  memoryKib: passwordLimits.memoryKib.least,
  iterations: passwordLimits.iterations.least,
  parallelism: passwordLimits.parallelism.least,
})

export type PasswordKeys = {
  /** Not exportable. */
  encryption: CryptoKey
  access: SecretBytes
}

/** A password hash function. Tests that derive keys hundreds of times inject a cheaper one. */
export type PasswordHash = (
  password: SecretBytes,
  salt: Uint8Array,
  params: PasswordParams,
) => Promise<Uint8Array>

/** Computes Argon2id. Takes 0.2 s, and 1 s on a slow phone. */
export const hashPassword: PasswordHash = (password, salt, { memoryKib, iterations, parallelism }) =>
  argon2id({
    password,
    salt,
    memorySize: memoryKib,
    iterations,
    parallelism,
    hashLength: KEY_BITS / 8,
    outputType: 'binary',
  })

/** Derives both keys. `context` is the context of the recovery share. */
export const derivePasswordKeys = (
  password: SecretBytes,
  params: PasswordParams,
  context: ShareContext,
  hash = hashPassword,
): Promise<PasswordKeys> =>
  withSecret(stretchPassword(password, params, context, hash), async (bytes) => {
    const root = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey', 'deriveBits'])
    const derivation = (key: 'encryption' | 'access') => ({
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(0),
      info: passwordKeyInfo(key, context),
    })
    const aes = { name: 'AES-GCM', length: KEY_BITS }
    return {
      encryption: await crypto.subtle.deriveKey(derivation('encryption'), root, aes, false, [
        'encrypt',
        'decrypt',
      ]),
      access: new Uint8Array(await crypto.subtle.deriveBits(derivation('access'), root, KEY_BITS)),
    }
  })

async function stretchPassword(
  password: SecretBytes,
  params: PasswordParams,
  context: ShareContext,
  hash: PasswordHash,
): Promise<SecretBytes> {
  const salt = await crypto.subtle.digest('SHA-256', canonicalSalt(context, params))
  const bytes = await hash(password, new Uint8Array(salt), params)
  return withSecret(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) as SecretBytes, (own) =>
    own.slice(),
  )
}
