/**
 * The bytes whose hash is signed for typed data. Each type is hashed once, because a short text can contain thousands
 * of values of a complex type. https://eips.ethereum.org/EIPS/eip-712
 */
import {
  domainType,
  parseArrayType,
  type TypedData,
  type TypedStruct,
  type TypedValue,
} from './typed-data.ts'

export type Keccak256 = (bytes: Uint8Array) => Uint8Array

/** Returns the version, the domain hash and, unless the data is domain-only, the message hash. */
export function encodeTypedData(data: TypedData, keccak256: Keccak256): Uint8Array {
  const { hashStruct } = createEncoder(data.types, keccak256)
  const prefix = Uint8Array.of(0x19, 0x01)
  const domain = hashStruct(domainType, data.domain)
  if (data.primaryType === domainType) return concat([prefix, domain])
  return concat([prefix, domain, hashStruct(data.primaryType, data.message)])
}

function createEncoder(types: TypedData['types'], keccak256: Keccak256) {
  const typeHashes = new Map<string, Uint8Array>()

  function typeHash(struct: string): Uint8Array {
    const cached = typeHashes.get(struct)
    if (cached) return cached
    const hash = keccak256(utf8(encodeType(types, struct)))
    typeHashes.set(struct, hash)
    return hash
  }

  const hashStruct = (struct: string, value: TypedStruct): Uint8Array =>
    keccak256(
      concat([
        typeHash(struct),
        ...(types[struct] ?? []).map(({ name, type }) => encode(type, value[name] ?? '')),
      ]),
    )

  function encode(type: string, value: TypedValue): Uint8Array {
    const array = parseArrayType(type)
    if (array && Array.isArray(value)) {
      return keccak256(concat(value.map((item) => encode(array.element, item))))
    }
    if (typeof value === 'object' && !Array.isArray(value)) return hashStruct(type, value as TypedStruct)
    if (typeof value === 'boolean') return encodeInteger(value ? 1n : 0n)
    if (typeof value !== 'string') throw new TypeError(`A value of type ${type} was read as a list`)
    if (type === 'string') return keccak256(utf8(value))
    if (type === 'bytes') return keccak256(decodeHex(value))
    if (type === 'address') return toWord(decodeHex(value), 'start')
    if (type.startsWith('bytes')) return toWord(decodeHex(value), 'end')
    return encodeInteger(BigInt(value))
  }

  return { hashStruct }
}

/** Encodes the struct, followed by its dependencies in alphabetical order. */
export function encodeType(types: TypedData['types'], struct: string): string {
  const names = new Set<string>()
  const pending = [struct]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (names.has(name)) continue
    names.add(name)
    for (const { type } of types[name] ?? []) {
      const [base = ''] = type.split('[', 1)
      if (Object.hasOwn(types, base)) pending.push(base)
    }
  }
  names.delete(struct)
  return [struct, ...[...names].sort()]
    .map((name) => `${name}(${(types[name] ?? []).map((field) => `${field.type} ${field.name}`).join(',')})`)
    .join('')
}

const WORD_BYTES = 32

function toWord(bytes: Uint8Array, where: 'start' | 'end'): Uint8Array {
  const word = new Uint8Array(WORD_BYTES)
  word.set(bytes, where === 'end' ? 0 : WORD_BYTES - bytes.length)
  return word
}

const encodeInteger = (value: bigint) =>
  decodeHex(
    `0x${BigInt.asUintN(8 * WORD_BYTES, value)
      .toString(16)
      .padStart(2 * WORD_BYTES, '0')}`,
  )

const utf8 = (text: string) => new TextEncoder().encode(text)

/** Decodes hex that is already validated. */
function decodeHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2 - 1)
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(hex.slice(2 + 2 * at, 2 + 2 * at + 2), 16)
  }
  return bytes
}

/** Avoids spreading: a list may be longer than the maximum number of arguments. */
function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
