/**
 * `eth_signTypedData_v4`: EIP-712. https://eips.ethereum.org/EIPS/eip-712
 *
 * The dialog hashes what it showed by a library of its own and says the hash; here it is made from the data again, by
 * this code. Where the two differ, one of them has read something else than the user has seen, and nothing is signed.
 */
import { channelLimits, LatchkeyError } from '@latchkey/protocol'
import {
  domainType,
  elementOf,
  parseTypedData,
  signTypedDataParamsSchema,
  type TypedData,
  type TypedStruct,
  type TypedValue,
} from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import type { SigningMethod } from './signing-method.ts'

type Params = v.InferOutput<typeof signTypedDataParamsSchema>

export const signTypedData = {
  request: v.strictObject({ method: v.literal('eth_signTypedData_v4'), params: signTypedDataParamsSchema }),
  signer: ([address]) => address,
  message([, text, shownDigest]) {
    const bytes = typedDataBytes(read(text))
    if (`0x${bytesToHex(keccak_256(bytes))}` !== shownDigest.toLowerCase()) {
      throw new LatchkeyError('invalid_request_arguments', 'The typed data is not what was shown')
    }
    return bytes
  },
  digest: (message) => keccak_256(message),
} as const satisfies SigningMethod<'eth_signTypedData_v4', Params>

function read(text: string): TypedData {
  try {
    return parseTypedData(text, { maxBytes: channelLimits.maxSignRequestBytes })
  } catch (cause) {
    throw new LatchkeyError('invalid_request_arguments', 'The typed data can not be signed', { cause })
  }
}

/** What is hashed for the signature: the version, the domain, and the message where there is one. */
export function typedDataBytes(data: TypedData): Uint8Array {
  const { hashStruct } = encoderOf(data.types)
  const prefix = Uint8Array.of(0x19, 0x01)
  const domain = hashStruct(domainType, data.domain)
  if (data.primaryType === domainType) return concatBytes(prefix, domain)
  return concatBytes(prefix, domain, hashStruct(data.primaryType, data.message))
}

function encoderOf(types: TypedData['types']) {
  const typeHashes = new Map<string, Uint8Array>()

  function typeHash(struct: string): Uint8Array {
    const known = typeHashes.get(struct)
    if (known) return known
    const hash = keccak_256(utf8(encodeType(types, struct)))
    typeHashes.set(struct, hash)
    return hash
  }

  const hashStruct = (struct: string, value: TypedStruct): Uint8Array =>
    keccak_256(
      concatBytes(
        typeHash(struct),
        ...(types[struct] ?? []).map(({ name, type }) => encode(type, value[name] ?? '')),
      ),
    )

  function encode(type: string, value: TypedValue): Uint8Array {
    const array = elementOf(type)
    if (array && Array.isArray(value)) {
      return keccak_256(concatBytes(...value.map((item) => encode(array.element, item))))
    }
    if (typeof value === 'object' && !Array.isArray(value)) return hashStruct(type, value as TypedStruct)
    if (typeof value === 'boolean') return integerWord(value ? 1n : 0n)
    if (typeof value !== 'string') throw new TypeError(`A value of type ${type} was read as a list`)
    if (type === 'string') return keccak_256(utf8(value))
    if (type === 'bytes') return keccak_256(hexToBytes(value.slice(2)))
    if (type === 'address') return padded(hexToBytes(value.slice(2)), 'start')
    if (type.startsWith('bytes')) return padded(hexToBytes(value.slice(2)), 'end')
    return integerWord(BigInt(value))
  }

  return { hashStruct }
}

/** The struct first, then those that it is made of, by their names. */
export function encodeType(types: TypedData['types'], struct: string): string {
  const found = new Set<string>()
  const wanted = [struct]
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (found.has(name)) continue
    found.add(name)
    for (const { type } of types[name] ?? []) {
      const base = type.replace(/\[.*$/, '')
      if (Object.hasOwn(types, base)) wanted.push(base)
    }
  }
  found.delete(struct)
  return [struct, ...[...found].sort()]
    .map((name) => `${name}(${(types[name] ?? []).map((field) => `${field.type} ${field.name}`).join(',')})`)
    .join('')
}

const WORD_BYTES = 32

function padded(bytes: Uint8Array, where: 'start' | 'end'): Uint8Array {
  const word = new Uint8Array(WORD_BYTES)
  word.set(bytes, where === 'end' ? 0 : WORD_BYTES - bytes.length)
  return word
}

const integerWord = (value: bigint) =>
  hexToBytes(
    BigInt.asUintN(8 * WORD_BYTES, value)
      .toString(16)
      .padStart(2 * WORD_BYTES, '0'),
  )

const utf8 = (text: string) => new TextEncoder().encode(text)
