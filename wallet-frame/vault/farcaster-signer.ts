/**
 * The Farcaster signer of a wallet: Ed25519 keys derived from its entropy, and therefore never stored.
 *
 * The SLIP-10 path is m/1717662307'/0'/index'. The first number is `farc` in ASCII. It is no BIP-43 purpose,
 * so no other wallet derives these keys from the same mnemonic. A key that its account removed can never be
 * added again, so its successor has the next index. The server names the index; a wrong one only yields an
 * unused key.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { toSignerReleaseContext } from '@latchkey/protocol/wallet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import type { VaultOutput } from './contract.ts'
import type { DeviceStore } from './device/store.ts'
import { entropyToSeed } from './keys/entropy.ts'
import { type SecretBytes, wipe, withSecret } from './keys/secret-bytes.ts'
import { slip10 } from './keys/slip10.ts'
import { withWalletSecret } from './opening.ts'
import type { OpenReleased } from './operations/operations.ts'
import type { Parsed } from './wallet.ts'

const PURPOSE = 0x66617263

export const deriveSignerKey = (entropy: Uint8Array, index: number): Promise<SecretBytes> =>
  withSecret(entropyToSeed(entropy), (seed) => {
    const { key, chainCode } = slip10(seed, [PURPOSE, 0, index])
    wipe(chainCode)
    return key
  })

/** Returns the public key, and with a hash also its signature. */
export async function useFarcasterSigner(
  { wallet, auth, keyIndex, hash }: Parsed<'farcasterSigner'>,
  openReleased: OpenReleased,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'farcasterSigner'>> {
  if (wallet.kind !== 'entropy') {
    throw new LatchkeyError('not_supported', 'A wallet from an imported key has no Farcaster signer')
  }
  return withWalletSecret(
    wallet,
    auth,
    openReleased,
    store,
    (entropy) =>
      withSecret(deriveSignerKey(entropy, keyIndex), (key) => {
        signal.throwIfAborted()
        const publicKey = `0x${bytesToHex(ed25519.getPublicKey(key))}`
        if (hash === undefined) return { publicKey }
        const signature = ed25519.sign(base64urlnopad.decode(hash), key)
        return { publicKey, signature: base64urlnopad.encode(signature) }
      }),
    toSignerReleaseContext(hash),
  )
}
