/**
 * The Farcaster signer of a wallet: ed25519 keys from its entropy, under a path of their own, and so stored nowhere.
 *
 * m/1717662307'/0'/index' by SLIP-10. The first number is `farc` in ASCII: no purpose of BIP-43, so that no wallet that
 * takes the same sentence comes by these keys. A key that its account took back can never be added again, so the next
 * one has the next index; the server says which, and another index is no more than another key.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { signerReleasedFor } from '@latchkey/protocol/wallet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import type { VaultOutput } from './contract.ts'
import type { DeviceStore } from './device/store.ts'
import { seedOf } from './keys/entropy.ts'
import { type SecretBytes, wipe, withSecret } from './keys/secret-bytes.ts'
import { slip10 } from './keys/slip10.ts'
import { withWalletSecret } from './opening.ts'
import type { OpenReleased } from './operations/operations.ts'
import type { Parsed } from './wallet.ts'

const PURPOSE = 0x66617263

export const signerPrivateKey = (entropy: Uint8Array, index: number): Promise<SecretBytes> =>
  withSecret(seedOf(entropy), (seed) => {
    const { key, chainCode } = slip10(seed, [PURPOSE, 0, index])
    wipe(chainCode)
    return key
  })

/** Signs the hash; without a hash it only gives the public key. */
export async function farcasterSigner(
  { wallet, auth, keyIndex, hash }: Parsed<'farcasterSigner'>,
  released: OpenReleased,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'farcasterSigner'>> {
  if (wallet.kind !== 'entropy') {
    throw new LatchkeyError('not_supported', 'A wallet from an imported key has no Farcaster signer')
  }
  return withWalletSecret(
    wallet,
    auth,
    released,
    store,
    (entropy) =>
      withSecret(signerPrivateKey(entropy, keyIndex), (key) => {
        signal.throwIfAborted()
        const publicKey = `0x${bytesToHex(ed25519.getPublicKey(key))}`
        if (hash === undefined) return { publicKey }
        const signature = ed25519.sign(base64urlnopad.decode(hash), key)
        return { publicKey, signature: base64urlnopad.encode(signature) }
      }),
    signerReleasedFor(hash),
  )
}
