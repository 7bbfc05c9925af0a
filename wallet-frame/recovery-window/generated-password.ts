/**
 * Generates a password of four random words from the 2,048 of BIP-39, joined with '-'.
 *
 * That is 44 bits. Each guess costs Argon2id with 64 MiB, about 0.2 s of a core, and needs the server's
 * pepper. On average, an attacker needs 50,000 core years.
 */
import { wordlist } from '@scure/bip39/wordlists/english.js'

const WORDS = 4

export function generatePassword(): string {
  const randoms = crypto.getRandomValues(new Uint32Array(WORDS))
  // The list's length is a power of two, so the remainder has no bias.
  return [...randoms].map((random) => wordlist[random % wordlist.length] ?? '').join('-')
}
