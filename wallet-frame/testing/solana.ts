/** Verifies signatures with Solana's own library. */
import {
  address,
  getAddressEncoder,
  getBase58Encoder,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit'

export async function isSignedBy(signer: string, signature: string, message: string): Promise<boolean> {
  const publicKey = new Uint8Array(getAddressEncoder().encode(address(signer)))
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', true, ['verify'])
  const bytes = getBase58Encoder().encode(signature) as SignatureBytes
  return verifySignature(key, bytes, new TextEncoder().encode(message))
}
