/**
 * Reads seed phrases of other wallets: 12 to 24 words of one BIP-39 word list, with a checksum in the last
 * word. https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki
 *
 * The phrase is read word by word, so that no string holds more than one word: strings cannot be zeroed.
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
import { deriveBip32Node, extractKey } from '../keys/derivation.ts'
import { mnemonicToSeed } from '../keys/entropy.ts'
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
/** A checksum has one bit for each 32 bits of entropy, so each 33rd bit of a phrase belongs to it. */
const BITS_PER_CHECKSUM_BIT = 33
const SPACE = 0x20
const LAST_ASCII = 0x7f
/** Non-ASCII spaces between words, in UTF-8: no-break space and ideographic space. */
const WIDE_SPACES = [
  [0xc2, 0xa0],
  [0xe3, 0x80, 0x80],
]
/** The maximum length of an unknown word in an error. */
const MAX_WORD_LETTERS = 24

export const ACCOUNTS = 10
/** m/44'/60'/0'/0; account i is child i. */
const ACCOUNTS_PATH = [44 + HARDENED_OFFSET, 60 + HARDENED_OFFSET, HARDENED_OFFSET, 0]

/**
 * Returns whether the text consists of several words of letters. A hex key of letters only contains no space.
 */
export function isSeedPhrase(text: Uint8Array): boolean {
  const trimmed = trim(text)
  return (
    trimmed.every((one) => isSpace(one) || isLetter(one)) &&
    trimmed.some((one) => isSpace(one) || one > LAST_ASCII) &&
    splitWords(trimmed).length > 1
  )
}

export type ParsedPhrase = { sentence: SecretBytes } | PhraseProblem

/** Parses a phrase and returns its BIP-39 mnemonic: the words in NFKD, separated by single spaces. */
export function parsePhrase(text: Uint8Array): ParsedPhrase {
  const words = splitWords(text)
  if (!WORD_COUNTS.has(words.length)) return { problem: 'word_count', count: words.length }
  let best = { knownWords: -1, unknown: '' }
  let isKnown = false
  for (const indexByWord of getWordMaps()) {
    const unknown = words.filter((word) => !indexByWord.has(word))
    if (unknown[0] === undefined) {
      isKnown = true
      const indexes = words.map((word) => indexByWord.get(word) ?? 0)
      // Several lists share words (both Chinese ones, English and French), so one list with a valid checksum
      // is enough.
      const isValid = hasValidChecksum(indexes)
      indexes.fill(0)
      if (isValid) return { sentence: joinWords(words) }
    } else if (words.length - unknown.length > best.knownWords) {
      best = { knownWords: words.length - unknown.length, unknown: unknown[0] }
    }
  }
  if (isKnown) return { problem: 'wrong_checksum' }
  const { unknown } = best
  const letters = [...unknown.normalize('NFC')]
  return {
    problem: 'unknown_word',
    word:
      letters.length > MAX_WORD_LETTERS
        ? `${letters.slice(0, MAX_WORD_LETTERS).join('')}…`
        : letters.join(''),
  }
}

/** Derives the private keys of the first accounts, as other wallets do. */
export const deriveAccountKeys = (sentence: SecretBytes, passphrase: string): Promise<SecretBytes[]> =>
  withSecret(mnemonicToSeed(sentence, passphrase), (seed) => {
    const parent = deriveBip32Node(seed, ACCOUNTS_PATH)
    try {
      return Array.from({ length: ACCOUNTS }, (_, account) => extractKey(parent.deriveChild(account)))
    } finally {
      parent.wipePrivateData()
    }
  })

/** Splits the text into words in lower case and NFKD. */
function splitWords(text: Uint8Array): string[] {
  const words: string[] = []
  const decoder = new TextDecoder()
  let from = 0
  const end = (to: number) => {
    if (to > from) words.push(decoder.decode(text.subarray(from, to)).normalize('NFKD').toLowerCase())
  }
  for (let at = 0; at < text.length; at += 1) {
    const length = spaceLengthAt(text, at)
    if (length === 0) continue
    end(at)
    at += length - 1
    from = at + 1
  }
  end(text.length)
  return words.length === 1 ? splitHan(words[0] ?? '') : words
}

function joinWords(words: readonly string[]): SecretBytes {
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

/**
 * Splits a text of Han characters into characters. Each Chinese word is one character, often written without
 * spaces.
 */
const splitHan = (word: string): string[] => (/^\p{Script=Han}+$/u.test(word) ? [...word] : [word])

function spaceLengthAt(text: Uint8Array, at: number): number {
  if (isSpace(text[at])) return 1
  return WIDE_SPACES.find((space) => space.every((byte, next) => text[at + next] === byte))?.length ?? 0
}

let maps: readonly ReadonlyMap<string, number>[] | undefined
/** Creates the maps on first use, because imports of a private key do not need them. */
function getWordMaps() {
  maps ??= lists.map((list) => new Map(list.map((word, index) => [word.normalize('NFKD'), index])))
  return maps
}

function hasValidChecksum(indexes: readonly number[]): boolean {
  const checksumBits = (indexes.length * BITS_PER_WORD) / BITS_PER_CHECKSUM_BIT
  const entropyBytes = (checksumBits * (BITS_PER_CHECKSUM_BIT - 1)) / 8
  // The last byte contains the checksum in its upper bits.
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
