/**
 * The secret of a wallet: 128 random bits, encoded as a BIP-39 mnemonic and stretched to a BIP-39 seed.
 * https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki
 *
 * The mnemonic is written as bytes, never as a string, because a string cannot be zeroed.
 */
import { walletSizes } from '@latchkey/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { type SecretBytes, wipe, withSecret } from './secret-bytes.ts'

const BITS_PER_WORD = 11
const SEED_ROUNDS = 2_048
const SEED_BITS = 512
const SPACE = 0x20

export const generateEntropy = (): SecretBytes =>
  crypto.getRandomValues(new Uint8Array(walletSizes.entropyBytes))

/**
 * Returns the mnemonic in the English word list, in ASCII. The checksum has one bit for each 32 bits of
 * entropy.
 */
export function mnemonicBytes(entropy: Uint8Array): SecretBytes {
  const checked = new Uint8Array(entropy.length + 1)
  const letters: number[] = []
  const digest = sha256(entropy)
  try {
    checked.set(entropy)
    checked[entropy.length] = digest[0] ?? 0
    const words = (entropy.length * 8 + entropy.length / 4) / BITS_PER_WORD
    for (let word = 0; word < words; word++) {
      if (word > 0) letters.push(SPACE)
      const text = wordlist[readBits(checked, word * BITS_PER_WORD)] ?? ''
      for (const letter of text) letters.push(letter.charCodeAt(0))
    }
    return new Uint8Array(letters)
  } finally {
    wipe(checked, digest)
    letters.fill(0)
  }
}

function readBits(bytes: Uint8Array, firstBit: number): number {
  let value = 0
  for (let bit = firstBit; bit < firstBit + BITS_PER_WORD; bit++) {
    value = (value << 1) | (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
  }
  return value
}

/** Returns the 64-byte seed. Latchkey wallets have no passphrase; the test vectors of BIP-39 do. */
export const entropyToSeed = (entropy: Uint8Array, passphrase = ''): Promise<SecretBytes> =>
  withSecret(mnemonicBytes(entropy), (sentence) => mnemonicToSeed(sentence, passphrase))

/** Returns the seed of a mnemonic in NFKD and UTF-8, with one space between words. */
export async function mnemonicToSeed(sentence: SecretBytes, passphrase: string): Promise<SecretBytes> {
  const key = await crypto.subtle.importKey('raw', sentence, 'PBKDF2', false, ['deriveBits'])
  const salt = new TextEncoder().encode(`mnemonic${passphrase.normalize('NFKD')}`)
  const stretched = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: SEED_ROUNDS },
    key,
    SEED_BITS,
  )
  return new Uint8Array(stretched)
}
