/**
 * A seed phrase as other wallets write it: 12 to 24 words of one of the lists of BIP-39, the last of which holds a checksum.
 * https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki
 *
 * The phrase is read word by word, so that no string holds more of it than a word: strings cannot be zeroed.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { HARDENED_OFFSET } from '@scure/bip32'
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js'
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js'
import { bip32Node, extractKey } from '../keys/derivation.ts'
import { seedOfSentence } from '../keys/entropy.ts'
import { type SecretBytes, wipe, withSecret } from '../keys/secret-bytes.ts'
import type { PhraseProblem } from './contract.ts'
import { isLetter, isSpace, trim } from './key-text.ts'

const lists = [
  english,
  spanish,
  french,
  italian,
  portuguese,
  czech,
  japanese,
  korean,
  simplifiedChinese,
  traditionalChinese,
]
const WORD_COUNTS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24])
const BITS_PER_WORD = 11
/** One bit of the checksum follows for each 32 bits of entropy. */
const BITS_PER_CHECKSUM_BIT = 33
const SPACE = 0x20
const LAST_ASCII = 0x7f
/** The spaces that are no ASCII and stand between words: no-break and ideographic, as UTF-8. */
const WIDE_SPACES = [
  [0xc2, 0xa0],
  [0xe3, 0x80, 0x80],
]
/** What is told of a word that is in no list. */
const TOLD_LETTERS = 24

export const ACCOUNTS = 10
/** m/44'/60'/0'/0, of which account i is the child i. */
const ACCOUNTS_PATH = [44 + HARDENED_OFFSET, 60 + HARDENED_OFFSET, HARDENED_OFFSET, 0]

/** True for letters alone that are more than one word. A key whose digits are all letters is no text with a space. */
export function isSeedPhrase(text: Uint8Array): boolean {
  const trimmed = trim(text)
  return (
    trimmed.every((one) => isSpace(one) || isLetter(one)) &&
    trimmed.some((one) => isSpace(one) || one > LAST_ASCII) &&
    wordsOf(trimmed).length > 1
  )
}

export type ReadPhrase = { sentence: SecretBytes } | PhraseProblem

/** The sentence that a seed is stretched from: the words in NFKD, with one space between them. */
export function readPhrase(text: Uint8Array): ReadPhrase {
  const words = wordsOf(text)
  if (!WORD_COUNTS.has(words.length)) return { problem: 'word_count', count: words.length }
  let most = { found: -1, unknown: '' }
  let isKnown = false
  for (const indexOf of wordIndexes()) {
    const unknown = words.filter((word) => !indexOf.has(word))
    if (unknown[0] === undefined) {
      isKnown = true
      const indexes = words.map((word) => indexOf.get(word) ?? 0)
      // The two Chinese lists share characters, the English and the French one words: one list that fits is enough.
      const isRight = hasRightChecksum(indexes)
      indexes.fill(0)
      if (isRight) return { sentence: sentenceOf(words) }
    } else if (words.length - unknown.length > most.found) {
      most = { found: words.length - unknown.length, unknown: unknown[0] }
    }
  }
  if (isKnown) return { problem: 'wrong_checksum' }
  const { unknown } = most
  const letters = [...unknown.normalize('NFC')]
  return {
    problem: 'unknown_word',
    word: letters.length > TOLD_LETTERS ? `${letters.slice(0, TOLD_LETTERS).join('')}…` : letters.join(''),
  }
}

/** The keys of the first accounts that other wallets make of this phrase. */
export const accountKeys = (sentence: SecretBytes, passphrase: string): Promise<SecretBytes[]> =>
  withSecret(seedOfSentence(sentence, passphrase), (seed) => {
    const parent = bip32Node(seed, ACCOUNTS_PATH)
    try {
      return Array.from({ length: ACCOUNTS }, (_, account) => extractKey(parent.deriveChild(account)))
    } finally {
      parent.wipePrivateData()
    }
  })

/** The words in lower case and in NFKD. */
function wordsOf(text: Uint8Array): string[] {
  const words: string[] = []
  const decoder = new TextDecoder()
  let from = 0
  const end = (to: number) => {
    if (to > from) words.push(decoder.decode(text.subarray(from, to)).normalize('NFKD').toLowerCase())
  }
  for (let at = 0; at < text.length; at += 1) {
    const length = spaceAt(text, at)
    if (length === 0) continue
    end(at)
    at += length - 1
    from = at + 1
  }
  end(text.length)
  return words.length === 1 ? charactersOf(words[0] ?? '') : words
}

function sentenceOf(words: readonly string[]): SecretBytes {
  const encoder = new TextEncoder()
  const encoded = words.map((word) => encoder.encode(word))
  const sentence = new Uint8Array(encoded.reduce((length, word) => length + word.length + 1, -1)).fill(SPACE)
  let at = 0
  for (const word of encoded) {
    sentence.set(word, at)
    at += word.length + 1
  }
  wipe(...encoded)
  return sentence
}

/** Words of Chinese are one character each, which many write without a space between them. */
const charactersOf = (word: string): string[] => (/^\p{Script=Han}+$/u.test(word) ? [...word] : [word])

function spaceAt(text: Uint8Array, at: number): number {
  if (isSpace(text[at])) return 1
  return WIDE_SPACES.find((space) => space.every((byte, next) => text[at + next] === byte))?.length ?? 0
}

let maps: readonly ReadonlyMap<string, number>[] | undefined
/** The maps are made for the first phrase, because a user who brings a key needs none. */
function wordIndexes() {
  maps ??= lists.map((list) => new Map(list.map((word, index) => [word.normalize('NFKD'), index])))
  return maps
}

function hasRightChecksum(indexes: readonly number[]): boolean {
  const checksumBits = (indexes.length * BITS_PER_WORD) / BITS_PER_CHECKSUM_BIT
  const entropyBytes = (checksumBits * (BITS_PER_CHECKSUM_BIT - 1)) / 8
  // The last byte has the checksum in its upper bits.
  const bytes = new Uint8Array(entropyBytes + 1)
  let [buffer, bits, at] = [0, 0, 0]
  for (const index of indexes) {
    buffer = (buffer << BITS_PER_WORD) | index
    bits += BITS_PER_WORD
    for (; bits >= 8; bits -= 8) bytes[at++] = buffer >> (bits - 8)
    buffer &= (1 << bits) - 1
  }
  if (bits > 0) bytes[at] = buffer << (8 - bits)
  const digest = sha256(bytes.subarray(0, entropyBytes))
  const shift = 8 - checksumBits
  const isRight = (digest[0] ?? 0) >> shift === (bytes[entropyBytes] ?? 0) >> shift
  wipe(bytes, digest)
  return isRight
}
