/**
 * Parses a private key: 64 hex digits, with or without `0x`, and with surrounding white space. The text stays
 * in bytes, because bytes can be zeroed and a string cannot.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { SecretBytes } from '../keys/secret-bytes.ts'
import type { KeyProblem } from './contract.ts'

const KEY_BYTES = 32
const [SPACE, ZERO, X] = [0x20, 0x30, 0x78]

export type ParsedKey = { key: SecretBytes } | { problem: KeyProblem }

export function parseKeyText(text: Uint8Array): ParsedKey {
  const trimmed = trim(text)
  const hasPrefix = trimmed[0] === ZERO && lower(trimmed[1]) === X
  const digits = hasPrefix ? trimmed.subarray(2) : trimmed
  if (digits.length === 0 || !digits.every((letter) => parseHexDigit(letter) !== undefined))
    return { problem: 'not_a_key' }
  if (digits.length !== 2 * KEY_BYTES) return { problem: 'wrong_length' }
  const key = new Uint8Array(KEY_BYTES)
  for (let at = 0; at < KEY_BYTES; at += 1) {
    key[at] = ((parseHexDigit(digits[2 * at]) ?? 0) << 4) | (parseHexDigit(digits[2 * at + 1]) ?? 0)
  }
  // A valid key is above zero and below the order of the curve.
  if (secp256k1.utils.isValidSecretKey(key)) return { key }
  key.fill(0)
  return { problem: 'out_of_range' }
}

/** Returns a view of the same bytes. */
export function trim(text: Uint8Array): Uint8Array {
  let [from, to] = [0, text.length]
  while (from < to && isSpace(text[from])) from += 1
  while (to > from && isSpace(text[to - 1])) to -= 1
  return text.subarray(from, to)
}

export const isSpace = (letter = 0) => letter <= SPACE
/**
 * Returns whether the byte belongs to a letter of any alphabet. Digits, spaces and punctuation of a key are
 * all ASCII.
 */
export const isLetter = (letter: number) => letter > 0x7f || (lower(letter) >= 0x61 && lower(letter) <= 0x7a)
const lower = (letter = 0) => letter | 0x20

function parseHexDigit(letter = 0): number | undefined {
  if (letter >= ZERO && letter <= 0x39) return letter - ZERO
  const small = lower(letter)
  return letter < 0x80 && small >= 0x61 && small <= 0x66 ? small - 0x57 : undefined
}
