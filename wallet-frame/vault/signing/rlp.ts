/**
 * A strict RLP codec: each value has one encoding, and any other is refused.
 * https://ethereum.org/en/developers/docs/data-structures-and-encoding/rlp/
 */
import { LatchkeyError } from '@latchkey/protocol'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/** An item of a list. A nested list is recognized but not decoded. */
export type RlpItem = { kind: 'bytes' | 'list'; payload: Uint8Array }

const SHORT_BYTES = 0x80
const SHORT_LIST = 0xc0
const LONGEST_SHORT = 55

type Header = { kind: RlpItem['kind']; start: number; end: number }

function headerAt(bytes: Uint8Array, at: number): Header {
  const first = bytes[at]
  if (first === undefined) throw malformed()
  if (first < SHORT_BYTES) return { kind: 'bytes', start: at, end: at + 1 }
  const kind = first < SHORT_LIST ? 'bytes' : 'list'
  const short = first - (kind === 'bytes' ? SHORT_BYTES : SHORT_LIST)
  const header = short <= LONGEST_SHORT ? { start: at + 1, length: short } : longHeader(bytes, at, short)
  const end = header.start + header.length
  if (end > bytes.length) throw malformed()
  // A single small byte is its own encoding.
  if (kind === 'bytes' && header.length === 1 && (bytes[header.start] ?? 0) < SHORT_BYTES) throw malformed()
  return { kind, start: header.start, end }
}

const MAX_LENGTH_BYTES = 4

function longHeader(bytes: Uint8Array, at: number, short: number) {
  const size = short - LONGEST_SHORT
  const digits = bytes.subarray(at + 1, at + 1 + size)
  if (size > MAX_LENGTH_BYTES || digits.length < size || digits[0] === 0) throw malformed()
  const length = digits.reduce((sum, digit) => sum * 256 + digit, 0)
  if (length <= LONGEST_SHORT) throw malformed()
  return { start: at + 1 + size, length }
}

/** Decodes a single list, without trailing bytes. */
export function readList(bytes: Uint8Array): readonly RlpItem[] {
  const { kind, start, end } = headerAt(bytes, 0)
  if (kind !== 'list' || end !== bytes.length) throw malformed()
  const items: RlpItem[] = []
  for (let at = start; at < end; ) {
    const item = headerAt(bytes, at)
    items.push({ kind: item.kind, payload: bytes.subarray(item.start, item.end) })
    at = item.end
  }
  return items
}

export const writeBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 1 && (bytes[0] ?? 0) < SHORT_BYTES
    ? bytes
    : concatBytes(writeHeader(SHORT_BYTES, bytes.length), bytes)

/** Encodes a number without leading zeros; zero is the empty byte string. */
export function writeNumber(value: bigint): Uint8Array {
  if (value === 0n) return writeBytes(new Uint8Array())
  const digits = value.toString(16)
  return writeBytes(hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`))
}

/** Encodes a list of encoded items. */
export function writeList(items: readonly Uint8Array[]): Uint8Array {
  const payload = concatBytes(...items)
  return concatBytes(writeHeader(SHORT_LIST, payload.length), payload)
}

function writeHeader(offset: number, length: number): Uint8Array {
  if (length <= LONGEST_SHORT) return Uint8Array.of(offset + length)
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Uint8Array.of(offset + LONGEST_SHORT + digits.length, ...digits)
}

const malformed = () => new LatchkeyError('invalid_request_arguments', 'The transaction is malformed')
