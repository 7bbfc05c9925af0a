/** Four words at random from the 2,048 of BIP-39: short, plain, and none of them the beginning of another. */
import { wordlist } from '@scure/bip39/wordlists/english.js'

const WORDS = 4

/** 44 bits. The length of the list is a power of two, so that each word is as likely as any. */
export const generatedPassword = (): string =>
  Array.from(
    crypto.getRandomValues(new Uint32Array(WORDS)),
    (random) => wordlist[random % wordlist.length] ?? '',
  ).join('-')
