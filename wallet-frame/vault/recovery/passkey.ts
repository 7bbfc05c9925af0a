/**
 * Derives the key of a recovery share from a passkey's PRF output. It is bound to one wallet and generation.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { passkeyKeyInfo, type ShareContext } from '@latchkey/protocol/wallet'
import { type SecretBytes, withSecret } from '../keys/secret-bytes.ts'

const KEY_BITS = 256

/** Derives a non-exportable key. `context` is the context of the recovery share. */
export const derivePasskeyKey = (secret: Promise<SecretBytes>, context: ShareContext): Promise<CryptoKey> =>
  withSecret(secret, async (bytes) => {
    // A PRF output has exactly this length; any other input is invalid, even if it was sealed correctly.
    if (bytes.length !== KEY_BITS / 8) throw noSecret()
    const root = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
    const derivation = {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(0),
      info: passkeyKeyInfo(context),
    }
    const aes = { name: 'AES-GCM', length: KEY_BITS }
    return crypto.subtle.deriveKey(derivation, root, aes, false, ['encrypt', 'decrypt'])
  })

const noSecret = () =>
  new LatchkeyError('invalid_request_arguments', 'The sealed input is not the output of a passkey')
