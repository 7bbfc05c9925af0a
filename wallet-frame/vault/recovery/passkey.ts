/** What a passkey gave becomes the key of the recovery share of one wallet and generation, and of no other. */
import { LatchkeyError } from '@latchkey/protocol'
import { passkeyKeyInfo, type ShareContext } from '@latchkey/protocol/wallet'
import { type SecretBytes, withSecret } from '../keys/secret-bytes.ts'

const KEY_BITS = 256

/** `context` is that of the recovery share. The key can not be exported. */
export const passkeyKey = (secret: Promise<SecretBytes>, context: ShareContext): Promise<CryptoKey> =>
  withSecret(secret, async (bytes) => {
    // Fewer would be none of what a passkey gives, however well they were sealed.
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

const noSecret = () => new LatchkeyError('invalid_request_arguments', 'This is nothing that a passkey gives')
