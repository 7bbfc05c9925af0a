/**
 * Typed data (EIP-712) in canonical form: one representation per value, without unsigned extras.
 *
 * Some wallets coerce a value that does not fit its type (the text 'false' to true, a short number to bytes32), so the
 * user sees one value and signs another. This parser rejects such values with their path. Values without a declared
 * type are not signed, so they are dropped. https://eips.ethereum.org/EIPS/eip-712
 */
import { LatchkeyError } from '../../errors/errors.ts'
import { channelLimits } from '../../limits/limits.ts'

export type TypedField = { name: string; type: string }
export type TypedStruct = { [name: string]: TypedValue }
/** Numbers are decimal strings. Bytes and addresses are hex. */
export type TypedValue = string | boolean | readonly TypedValue[] | TypedStruct
export type TypedData = {
  /** The types that the message and the domain use, including `EIP712Domain`. */
  types: { [struct: string]: readonly TypedField[] }
  primaryType: string
  domain: TypedStruct
  message: TypedStruct
}

export const domainType = 'EIP712Domain'
const domainFields: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}

export type TypedDataRules = {
  maxBytes?: number
  /** Normalizes an address, or returns undefined if it is invalid. */
  address?: (written: string) => string | undefined
}

/** Parses the JSON of an `eth_signTypedData_v4` request. The result survives a JSON round trip. */
export function parseTypedData(
  text: string,
  { maxBytes = channelLimits.maxTypedDataBytes, address = (written) => written }: TypedDataRules = {},
): TypedData {
  if (new TextEncoder().encode(text).length > maxBytes) throw createError('', 'is too long to sign')
  const request = readRecord(parseJson(text), '')
  const declared = readRecord(request.types, 'types')
  const domain = readRecord(request.domain, 'domain')
  const { primaryType } = request
  if (typeof primaryType !== 'string') throw createError('primaryType', 'is not a text')
  const types = collectTypes(declared, domain, primaryType)
  checkDomain(types)
  const reader = { types, address, countStruct: createStructCounter(types) }
  return {
    types: Object.fromEntries(types),
    primaryType,
    domain: readStruct(reader, domainType, domain, 'domain', 1),
    // Domain-only data has no message: https://eips.ethereum.org/EIPS/eip-712#specification-of-the-eth_signtypeddata-json-rpc
    message: primaryType === domainType ? {} : readStruct(reader, primaryType, request.message, 'message', 1),
  }
}

type Types = ReadonlyMap<string, readonly TypedField[]>
type Reader = {
  types: Types
  address: NonNullable<TypedDataRules['address']>
  countStruct: (path: string) => void
}
type UnknownRecord = Readonly<Record<string, unknown>>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw createError('', 'is not JSON', cause)
  }
}

/** Ten times the size of real contracts' types. Each type is serialized, sorted and hashed with its dependencies. */
const MAX_TYPES = 200
const MAX_TYPES_LENGTH = 16 * 1024
const MAX_TYPE_LENGTH = 256

/** Collects the types that the message and the domain reach. Other types are not signed. */
function collectTypes(declared: UnknownRecord, domain: UnknownRecord, primaryType: string): Types {
  const types = new Map<string, readonly TypedField[]>()
  let length = 0
  const pending = [domainType, primaryType]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (types.has(name)) continue
    const fields =
      name === domainType && !Object.hasOwn(declared, name)
        ? inferDomainFields(domain)
        : readFields(declared, name)
    types.set(name, fields)
    if (types.size > MAX_TYPES) throw createError('types', `are more than ${MAX_TYPES}`)
    length += getEncodedLength(name, fields)
    if (length > MAX_TYPES_LENGTH) throw createError('types', 'are too long to sign')
    for (const { type } of fields) {
      const base = getBaseType(type)
      if (!isAtomic(base)) pending.push(base)
    }
  }
  return types
}

/** Returns the length of the encoded type, such as `Mail(address to,string text)`. */
const getEncodedLength = (name: string, fields: readonly TypedField[]) =>
  fields.reduce((sum, field) => sum + `${field.type} ${field.name},`.length, `${name}()`.length)

/** Libraries encode and hash the types again for each struct. This many characters take about a second. */
const MAX_LETTERS_HASHED = 16 * 1024 * 1024

function createStructCounter(types: Types): Reader['countStruct'] {
  const length = [...types].reduce((sum, [name, fields]) => sum + getEncodedLength(name, fields), 0)
  let structs = 0
  return (path) => {
    structs += 1
    if (structs * length > MAX_LETTERS_HASHED)
      throw createError(path, 'is one struct more than can be hashed')
  }
}

/** Derives the domain type from the fields that are present, in the standard's order. */
function inferDomainFields(domain: UnknownRecord): readonly TypedField[] {
  const unknown = Object.keys(domain).find((name) => !Object.hasOwn(domainFields, name))
  if (unknown !== undefined) throw createError(`domain.${unknown}`, 'is not a field of a domain')
  return Object.entries(domainFields)
    .filter(([name]) => domain[name] !== undefined)
    .map(([name, type]) => ({ name, type }))
}

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/
const structName = /^[A-Za-z_$][A-Za-z0-9_$]*(:[A-Za-z_$][A-Za-z0-9_$]*)?$/

function readFields(declared: UnknownRecord, name: string): readonly TypedField[] {
  const path = `types.${name}`
  if (!structName.test(name) || isReserved(name)) throw createError(path, 'is not a valid type name')
  const listed = Object.hasOwn(declared, name) ? declared[name] : undefined
  if (!Array.isArray(listed)) throw createError(path, 'is not there')
  const names = new Set<string>()
  return listed.map((each: unknown, position) => {
    const here = `${path}[${position}]`
    const field = readRecord(each, here)
    if (typeof field.name !== 'string' || !identifier.test(field.name) || field.name === '__proto__') {
      throw createError(`${here}.name`, 'is no name of a field')
    }
    if (names.has(field.name)) throw createError(`${here}.name`, `is ${field.name} a second time`)
    names.add(field.name)
    // Each bracket is parsed together with everything before it, so the length is limited.
    if (typeof field.type !== 'string' || field.type.length > MAX_TYPE_LENGTH) {
      throw createError(`${here}.type`, 'is no type')
    }
    return { name: field.name, type: field.type }
  })
}

/** Requires the standard domain fields and types. The wallet checks these fields, and another type changes the domain. */
function checkDomain(types: Types): void {
  for (const { name, type } of types.get(domainType) ?? []) {
    const standard = Object.hasOwn(domainFields, name) ? domainFields[name] : undefined
    if (standard === undefined) throw createError(`domain.${name}`, 'is not a field of a domain')
    if (standard !== type) throw createError(`domain.${name}`, `must be of type ${standard}`)
  }
}

const atomic = /^(?:bool|address|string|bytes|(u?int)([1-9][0-9]{0,2})|bytes([1-9][0-9]?))$/
const BITS_PER_BYTE = 8
const MAX_INTEGER_BITS = 256
const MAX_FIXED_BYTES = 32

/** Aliases like `uint` are not allowed: they would hash differently from `uint256`. */
function isAtomic(type: string): boolean {
  const match = atomic.exec(type)
  if (!match) return false
  const [, integer, bits, bytes] = match
  if (integer !== undefined) return Number(bits) % BITS_PER_BYTE === 0 && Number(bits) <= MAX_INTEGER_BITS
  return bytes === undefined || Number(bytes) <= MAX_FIXED_BYTES
}
/** Returns whether the name is a built-in type, which a struct may not use. */
const isReserved = (name: string) => /^(?:bool|address|string|u?int[0-9]*|bytes[0-9]*|__proto__)$/.test(name)

const arrayOf = /^(.+)\[((?:[1-9][0-9]{0,5})?)\]$/

/** Parses an array type. The last brackets are the outermost dimension. */
export function parseArrayType(type: string): { element: string; length?: number } | undefined {
  const [, element, length] = arrayOf.exec(type) ?? []
  if (element === undefined) return undefined
  return { element, ...(length && { length: Number(length) }) }
}

function getBaseType(type: string): string {
  let base = type
  for (let array = parseArrayType(base); array; array = parseArrayType(base)) base = array.element
  return base
}

function readStruct(reader: Reader, type: string, value: unknown, path: string, depth: number): TypedStruct {
  const record = readRecord(value, path)
  reader.countStruct(path)
  const fields = reader.types.get(type) ?? []
  return Object.fromEntries(
    fields.map(({ name, type: inner }) => {
      const here = `${path}.${name}`
      if (!Object.hasOwn(record, name)) throw createError(here, 'is missing')
      return [name, readValue(reader, inner, record[name], here, depth + 1)]
    }),
  )
}

function readValue(reader: Reader, type: string, value: unknown, path: string, depth: number): TypedValue {
  if (depth > channelLimits.maxDepth)
    throw createError(path, `is more than ${channelLimits.maxDepth} levels deep`)
  const array = parseArrayType(type)
  if (array) return readArray(reader, type, array, value, path, depth)
  if (reader.types.has(type)) return readStruct(reader, type, value, path, depth)
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw createError(path, 'is neither true nor false')
    return value
  }
  if (type === 'string') return readText(value, path)
  if (type.startsWith('bytes')) return readBytes(type, value, path)
  if (type === 'address') {
    const address = reader.address(readBytes(type, value, path))
    if (address === undefined) throw createError(path, 'is an address with a wrong checksum')
    return address
  }
  return readInteger(type, value, path)
}

function readArray(
  reader: Reader,
  type: string,
  { element, length }: { element: string; length?: number },
  value: unknown,
  path: string,
  depth: number,
): TypedValue {
  if (!Array.isArray(value)) throw createError(path, 'is not a list')
  if (length !== undefined && value.length !== length) throw createError(path, `is not as long as ${type}`)
  return value.map((item: unknown, position) =>
    readValue(reader, element, item, `${path}[${position}]`, depth + 1),
  )
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw createError(path, 'is not a text')
  if (!value.isWellFormed()) throw createError(path, 'is not well-formed text')
  return value
}

const ADDRESS_BYTES = 20

function readBytes(type: string, value: unknown, path: string): string {
  const size = type === 'address' ? ADDRESS_BYTES : Number(type.slice('bytes'.length))
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) {
    throw createError(path, `is not of type ${type}, written as hex`)
  }
  if (size !== 0 && value.length !== 2 + 2 * size) throw createError(path, `is not ${size} bytes long`)
  return value
}

const decimal = /^-?(?:0|[1-9][0-9]*)$/
const hexadecimal = /^0x[0-9a-fA-F]+$/
/** Above the digits of the greatest integer. Longer values are rejected without parsing. */
const MAX_INTEGER_LENGTH = 80

function readInteger(type: string, value: unknown, path: string): string {
  const number = parseInteger(value)
  if (number === undefined) {
    throw createError(path, `is not of type ${type}: an integer, or its decimal or hex digits as a text`)
  }
  const [, integer, bits] = atomic.exec(type) ?? []
  const fitted =
    integer === 'uint' ? BigInt.asUintN(Number(bits), number) : BigInt.asIntN(Number(bits), number)
  if (fitted !== number) throw createError(path, `is out of the range of ${type}`)
  return String(number)
}

function parseInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string' || value.length > MAX_INTEGER_LENGTH) return undefined
  return decimal.test(value) || hexadecimal.test(value) ? BigInt(value) : undefined
}

function readRecord(value: unknown, path: string): UnknownRecord {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as UnknownRecord
  throw createError(path, 'is not an object')
}

const createError = (path: string, problem: string, cause?: unknown) =>
  new LatchkeyError(
    'invalid_message',
    `${path === '' ? 'The typed data' : `In the typed data, ${path}`} ${problem}`,
    {
      details: { path },
      cause,
    },
  )
