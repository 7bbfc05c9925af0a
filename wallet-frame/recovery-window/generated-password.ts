/** Four words at random from the 2,048 of BIP-39: short, plain, and none of them the beginning of another. */
import { wordlist } from '@scure/bip39/wordlists/english.js'

const WORDS = 4
const DIGITS = 10

/**
 * 47 bits: the words, each with a capital, and a digit, so that it has every kind of character that the strength
 * counts. The length of the list is a power of two, so that each word is as likely as any; of the digits, the likeliest
 * is so by a few in a thousand million.
 */
export function generatedPassword(): string {
  const [digit = 0, ...randoms] = crypto.getRandomValues(new Uint32Array(WORDS + 1))
  const words = randoms.map((random) => wordlist[random % wordlist.length] ?? '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('-') + (digit % DIGITS)
}
