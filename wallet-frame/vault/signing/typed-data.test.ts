import { encodeType, parseTypedData, type TypedData } from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { hashTypedData } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import vectors from '../../testing/vectors/ethers-typed-data.json' with { type: 'json' }
import { toSignable } from './index.ts'
import { typedDataBytes } from './typed-data.ts'

/** The example of the standard, whose key is the hash of 'cow'. */
const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}
const cowKey = keccak_256(new TextEncoder().encode('cow'))
const cow = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'

const digestOf = (data: TypedData) => `0x${bytesToHex(keccak_256(typedDataBytes(data)))}`
const digestOfText = (data: unknown) => digestOf(parseTypedData(JSON.stringify(data)))

function judges(data: TypedData) {
  const { EIP712Domain: _of, ...own } = data.types
  return {
    viem: hashTypedData(data as never),
    ethers: TypedDataEncoder.hash(data.domain, own as never, data.message),
  }
}

describe('typed data', () => {
  it('is encoded, hashed and signed like the example of the standard', () => {
    const data = parseTypedData(JSON.stringify(mail))
    expect(encodeType(data.types, 'Mail')).toBe(
      'Mail(Person from,Person to,string contents)Person(string name,address wallet)',
    )
    const bytes = typedDataBytes(data)
    expect(bytesToHex(bytes)).toBe(
      '1901f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090fc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
    )
    const digest = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'
    expect(digestOf(data)).toBe(digest)
    const request = { method: 'eth_signTypedData_v4', params: [cow, JSON.stringify(data), digest] } as const
    expect(toSignable({ ...request, params: [...request.params] }, cow).sign(cowKey)).toBe(
      '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c',
    )
  })

  it('is hashed like each case of ethers, and signed only for that digest', () => {
    const cases = vectors.cases as [name: string, text: string, digest: string][]
    for (const [name, text, digest] of cases) {
      const asked = (shown: string) =>
        toSignable({ method: 'eth_signTypedData_v4', params: [cow, text, shown] }, cow)
      expect([name, digestOf(parseTypedData(text))]).toEqual([name, digest])
      expect([name, asked(digest).digest]).toEqual([name, digest])
      expect(() => asked(digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toThrow(
        'The typed data does not match the digest that was shown',
      )
    }
    expect(cases).toHaveLength(206)
  })

  it('is refused if it cannot be parsed, with the cause', () => {
    const asked = (text: string) =>
      toSignable({ method: 'eth_signTypedData_v4', params: [cow, text, `0x${'0'.repeat(64)}`] }, cow)
    expect(() => asked('{')).toThrow(
      expect.objectContaining({
        code: 'invalid_request_arguments',
        message: 'The typed data cannot be signed',
        cause: expect.any(Error),
      }),
    )
    expect(() => asked(JSON.stringify(mail))).toThrow(
      'The typed data does not match the digest that was shown',
    )
  })

  it('has at most 512 KB after parsing, because its numbers may become longer', () => {
    const lengthOf = (contents: string) =>
      JSON.stringify({ ...mail, message: { ...mail.message, contents } }).length
    const fits = 'x'.repeat(512 * 1024 - lengthOf(''))
    const asked = (contents: string) => {
      const text = JSON.stringify({ ...mail, message: { ...mail.message, contents } })
      const digest = digestOf(parseTypedData(text, { maxBytes: 2 ** 25 }))
      return () => toSignable({ method: 'eth_signTypedData_v4', params: [cow, text, digest] }, cow)
    }
    expect(lengthOf(fits)).toBe(524_288)
    expect(asked(fits)).not.toThrow()
    expect(asked(`${fits}x`)).toThrow('The typed data cannot be signed')
  })

  it.each<[string, unknown]>([
    [
      'a list of structs',
      {
        types: {
          ...mail.types,
          Group: [
            { name: 'name', type: 'string' },
            { name: 'members', type: 'Person[]' },
          ],
          Mail: [
            { name: 'from', type: 'Person' },
            { name: 'to', type: 'Group[]' },
          ],
        },
        message: {
          from: mail.message.from,
          to: [{ name: 'All', members: [mail.message.to, mail.message.from] }],
        },
      },
    ],
    [
      'lists of lists and of a given length',
      {
        types: {
          ...mail.types,
          Mail: [
            { name: 'a', type: 'uint8[2][]' },
            { name: 'b', type: 'string[][]' },
            { name: 'c', type: 'Person[1]' },
          ],
        },
        message: {
          a: [
            [1, 2],
            [3, 4],
          ],
          b: [[], ['x', '']],
          c: [mail.message.to],
        },
      },
    ],
    [
      'an empty list',
      {
        types: { ...mail.types, Mail: [{ name: 'to', type: 'Person[]' }] },
        message: { to: [] },
      },
    ],
    [
      'every atomic kind, at its ends',
      {
        types: {
          ...mail.types,
          Mail: [
            { name: 'a', type: 'bytes' },
            { name: 'b', type: 'bytes1' },
            { name: 'c', type: 'bytes32' },
            { name: 'd', type: 'bool' },
            { name: 'e', type: 'bool' },
            { name: 'f', type: 'uint256' },
            { name: 'g', type: 'int256' },
            { name: 'h', type: 'int8' },
            { name: 'i', type: 'uint8' },
            { name: 'j', type: 'address' },
            { name: 'k', type: 'string' },
          ],
        },
        message: {
          a: '0x',
          b: '0xff',
          c: `0x${'ab'.repeat(32)}`,
          d: true,
          e: false,
          f: `0x${'ff'.repeat(32)}`,
          g: String(-(2n ** 255n)),
          h: -128,
          i: '255',
          j: cow.toLowerCase(),
          k: 'Grüße 🔑\u202e\0',
        },
      },
    ],
    [
      'fields of a message that no type names',
      { message: { ...mail.message, extra: 'not signed', from: { ...mail.message.from, other: 1 } } },
    ],
    ['types that nothing uses', { types: { ...mail.types, Other: [{ name: 'x', type: 'uint256' }] } }],
    [
      'a domain with a salt',
      {
        types: { ...mail.types, EIP712Domain: [{ name: 'salt', type: 'bytes32' }] },
        domain: { salt: `0x${'01'.repeat(32)}` },
      },
    ],
    ['a domain of nothing', { types: { ...mail.types, EIP712Domain: [] }, domain: {} }],
  ])('with %s is hashed like viem and ethers', (_name, change) => {
    const data = parseTypedData(JSON.stringify({ ...mail, ...(change as object) }))
    const { viem, ethers } = judges(data)
    expect(digestOf(data)).toBe(viem)
    expect(digestOf(data)).toBe(ethers)
  })

  /** ethers cannot parse a type that contains itself. */
  it('with a recursive struct in a list is hashed like viem', () => {
    const change = {
      types: {
        ...mail.types,
        Mail: [
          { name: 'text', type: 'string' },
          { name: 'replies', type: 'Mail[]' },
        ],
      },
      message: {
        text: 'a',
        replies: [
          { text: 'b', replies: [] },
          { text: 'c', replies: [{ text: 'd', replies: [] }] },
        ],
      },
    }
    const data = parseTypedData(JSON.stringify({ ...mail, ...change }))
    expect(digestOf(data)).toBe(hashTypedData(data as never))
  })

  it('with only a domain is hashed like viem', () => {
    const data = parseTypedData(JSON.stringify({ ...mail, primaryType: 'EIP712Domain', message: {} }))
    expect(digestOf(data)).toBe(hashTypedData(data as never))
    expect(digestOf(data)).not.toBe(digestOfText(mail))
  })

  it('without a domain type gets that of the standard, like in viem and ethers', () => {
    const { EIP712Domain: _none, ...types } = mail.types
    expect(digestOfText({ ...mail, types })).toBe(digestOfText(mail))
  })

  it('with any types and values is hashed like viem and ethers', () => {
    fc.assert(
      fc.property(anyTypedData, (given) => {
        const data = parseTypedData(JSON.stringify(given))
        const { viem, ethers } = judges(data)
        expect(digestOf(data)).toBe(viem)
        expect(digestOf(data)).toBe(ethers)
        // The parsed data parses to itself.
        expect(parseTypedData(JSON.stringify(data))).toEqual(data)
      }),
      { numRuns: 150 },
    )
  })
})

describe('the vault', () => {
  const text = JSON.stringify(parseTypedData(JSON.stringify(mail)))
  const digest = digestOfText(mail)
  const sign = (params: [string, string, string]) =>
    toSignable({ method: 'eth_signTypedData_v4', params }, cow).sign(cowKey)

  it('signs the shown typed data like viem', async () => {
    const viem = privateKeyToAccount(`0x${bytesToHex(cowKey)}`)
    expect(sign([cow, text, digest])).toBe(await viem.signTypedData(mail as never))
  })

  it("refuses typed data if the dialog's digest differs", () => {
    const other = text.replace('Hello, Bob!', 'Hello, Eve!')
    expect(() => sign([cow, other, digest])).toThrow(
      expect.objectContaining({
        code: 'invalid_request_arguments',
        message: 'The typed data does not match the digest that was shown',
      }),
    )
    expect(() =>
      sign([cow, text, digestOfText({ ...mail, domain: { ...mail.domain, chainId: 2 } })]),
    ).toThrow('The typed data does not match the digest that was shown')
  })

  it('refuses typed data that it cannot parse strictly, for any digest', () => {
    const bad = text.replace('"contents":"Hello, Bob!"', '"contents":7')
    expect(() => sign([cow, bad, digest])).toThrow(
      expect.objectContaining({
        code: 'invalid_request_arguments',
        message: 'The typed data cannot be signed',
      }),
    )
  })

  it('refuses typed data for another address', () => {
    expect(() => sign(['0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB', text, digest])).toThrow(
      'The request names another address than the wallet',
    )
  })
})

/** Structs Type0, Type1 …, each with atomic types and structs of greater numbers. */
const anyTypedData = fc
  .array(
    fc.array(fc.tuple(fc.nat(9), fc.constantFrom('', '[]', '[2]', '[][]')), { minLength: 1, maxLength: 4 }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .chain((shapes) => {
    const atomic = [
      'bool',
      'address',
      'string',
      'bytes',
      'bytes7',
      'bytes32',
      'uint8',
      'uint256',
      'int64',
      'int256',
    ]
    const types = Object.fromEntries(
      shapes.map((fields, struct) => [
        `Type${struct}`,
        fields.map(([kind, suffix], at) => {
          const later = kind > 6 && struct + 1 < shapes.length ? `Type${struct + 1}` : undefined
          return { name: `field${at}`, type: `${later ?? atomic[kind]}${suffix}` }
        }),
      ]),
    ) as Record<string, readonly { name: string; type: string }[]>
    const hex = (bytes: number) =>
      fc
        .uint8Array({ minLength: bytes, maxLength: bytes })
        .map((value) => `0x${bytesToHex(new Uint8Array(value))}`)
    const valuesOf = (type: string): fc.Arbitrary<unknown> => {
      const [, element, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
      if (element !== undefined) {
        const range =
          length === '' ? { maxLength: 2 } : { minLength: Number(length), maxLength: Number(length) }
        return fc.array(valuesOf(element), range)
      }
      if (types[type]) return structOf(type)
      if (type === 'bool') return fc.boolean()
      if (type === 'string') return fc.string({ unit: 'grapheme' })
      if (type === 'bytes') return fc.nat(40).chain(hex)
      if (type === 'address') return hex(20)
      if (type.startsWith('bytes')) return hex(Number(type.slice(5)))
      const bits = Number(type.replace(/\D/g, ''))
      const range = type.startsWith('u')
        ? { min: 0n, max: 2n ** BigInt(bits) - 1n }
        : { min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n }
      return fc.bigInt(range).map(String)
    }
    const structOf = (type: string): fc.Arbitrary<unknown> =>
      fc.record(Object.fromEntries((types[type] ?? []).map((field) => [field.name, valuesOf(field.type)])))
    return structOf('Type0').map((message) => ({
      types: { ...types, EIP712Domain: mail.types.EIP712Domain },
      primaryType: 'Type0',
      domain: mail.domain,
      message,
    }))
  })

it("reads the hex of the example's key", () => {
  expect(hexToBytes('c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4')).toEqual(cowKey)
})
