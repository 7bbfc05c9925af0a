/** Rejections with their path. Each case is valid except for one detail. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LatchkeyError } from '../../errors/errors.ts'
import { parseTypedData } from './typed-data.ts'

const base = (type: string, value: unknown) => ({
  types: {
    EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
    Inner: [{ name: 'x', type }],
    Main: [{ name: 'inner', type: 'Inner' }],
  },
  primaryType: 'Main',
  domain: { chainId: 1 },
  message: { inner: { x: value } },
})
const parse = (data: unknown) => parseTypedData(JSON.stringify(data))
const refused = (path: string) =>
  expect.objectContaining({
    code: 'invalid_message',
    details: { path },
    message: expect.stringContaining(path),
  })

describe('parseTypedData accepts canonical values', () => {
  test.each<[string, unknown, unknown]>([
    ['bool', false, false],
    ['uint8', 255, '255'],
    ['uint8', '0xff', '255'],
    ['int8', '-128', '-128'],
    ['uint256', '0x0000000000000000000000000000000000000000000000000000000000000001', '1'],
    ['bytes', '0x', '0x'],
    ['bytes4', '0xdeadBEEF', '0xdeadBEEF'],
    ['string', '', ''],
    ['uint8[2]', [1, 2], ['1', '2']],
    ['string[][]', [[], ['a']], [[], ['a']]],
  ])('%s: %j', (type, value, read) => {
    expect(parse(base(type, value)).message).toEqual({ inner: { x: read } })
  })
})

describe('parseTypedData rejects values that other wallets coerce, with their path', () => {
  test.each<[string, unknown]>([
    ['bool', 'false'],
    ['bool', 'true'],
    ['bool', 1],
    ['bool', null],
    ['uint8', 256],
    ['uint8', -1],
    ['uint8', 1.5],
    ['uint8', '1.0'],
    ['uint8', ''],
    ['uint8', ' 1'],
    ['uint8', '01'],
    ['uint8', true],
    ['uint8', null],
    ['uint256', 2 ** 53],
    ['int8', 128],
    ['int8', '-129'],
    ['int8', '-0x01'],
    ['uint256', `1${'0'.repeat(78)}`],
    ['bytes4', '0xdeadbe'],
    ['bytes4', '0xdeadbeef00'],
    ['bytes4', 'deadbeef'],
    ['bytes4', 10],
    ['bytes', '0xabc'],
    ['bytes', 'hello'],
    ['bytes', [1, 2]],
    ['address', '0x1'],
    ['address', 0],
    ['address', 'vitalik.eth'],
    ['string', 7],
    ['string', { toString: 'x' }],
    ['string', 'half \ud83d'],
    ['string', null],
    ['Other', {}],
    ['uint8[2]', [1]],
    ['uint8[]', '12'],
    ['uint8[]', { 0: 1, length: 1 }],
  ])('%s: %j', (type, value) => {
    const data = base(type, value)
    const types = { ...data.types, Other: [{ name: 'y', type: 'uint8' }] }
    const path = type === 'Other' ? 'message.inner.x.y' : 'message.inner.x'
    expect(() => parse({ ...data, types })).toThrow(refused(path))
  })

  test('reports the index of an invalid list item', () => {
    expect(() => parse(base('bool[]', [true, 'false']))).toThrow(refused('message.inner.x[1]'))
  })
  test('rejects a missing field, and null instead of a struct', () => {
    const data = base('uint8', 1)
    expect(() => parse({ ...data, message: { inner: {} } })).toThrow(refused('message.inner.x'))
    expect(() => parse({ ...data, message: { inner: null } })).toThrow(refused('message.inner'))
    expect(() => parse({ ...data, message: {} })).toThrow(refused('message.inner'))
  })
})

describe('parseTypedData only accepts standard types', () => {
  test.each([
    'uint',
    'int',
    'uint7',
    'uint264',
    'uint08',
    'bytes33',
    'bytes0',
    'fixed',
    'Missing',
    'uint8[0]',
    'uint8[',
    '',
    ' uint8',
  ])('rejects the type %j', (type) => {
    expect(() => parse(base(type, 1))).toThrow(LatchkeyError)
  })
  test.each(['uint8', 'string', 'bytes32', '__proto__', 'a b', '1st', 'A(uint8 x)', ''])(
    'rejects the struct name %j',
    (name) => {
      const text = JSON.stringify(base('uint8', 1)).replaceAll('Inner', name)
      expect(() => parseTypedData(text)).toThrow(LatchkeyError)
    },
  )
  test('rejects invalid and duplicate field names', () => {
    const data = base('uint8', 1)
    const twice = [
      { name: 'x', type: 'uint8' },
      { name: 'x', type: 'uint8' },
    ]
    expect(() => parse({ ...data, types: { ...data.types, Inner: twice } })).toThrow(
      refused('types.Inner[1].name'),
    )
    const spaced = [{ name: 'x,uint8 y', type: 'uint8' }]
    expect(() => parse({ ...data, types: { ...data.types, Inner: spaced } })).toThrow(
      refused('types.Inner[0].name'),
    )
  })
  test('only accepts standard domain fields with their types', () => {
    const data = base('uint8', 1)
    const withDomain = (name: string, type: string) => ({
      ...data,
      types: { ...data.types, EIP712Domain: [{ name, type }] },
      domain: { [name]: '1' },
    })
    expect(parse(withDomain('version', 'string')).domain).toEqual({ version: '1' })
    expect(() => parse(withDomain('chainId', 'string'))).toThrow(refused('domain.chainId'))
    expect(() => parse(withDomain('other', 'string'))).toThrow(refused('domain.other'))
    const { EIP712Domain: _none, ...types } = data.types
    expect(() => parse({ ...data, types, domain: { other: '1' } })).toThrow(refused('domain.other'))
  })
})

describe('the size of typed data', () => {
  test('is limited to 256 KB', () => {
    const around = JSON.stringify(base('string', '')).length
    const of = (bytes: number) => base('string', 'x'.repeat(bytes - around))
    expect(parse(of(256 * 1024)).primaryType).toBe('Main')
    expect(() => parse(of(256 * 1024 + 1))).toThrow('The typed data is too long to sign')
  })
  test('is limited to 16 levels', () => {
    const deep = (levels: number) => {
      let value: unknown = '1'
      for (let level = 0; level < levels; level += 1) value = [value]
      return base(`uint8${'[]'.repeat(levels)}`, value)
    }
    // The message, its struct, and its field are three.
    expect(parse(deep(13)).primaryType).toBe('Main')
    expect(() => parse(deep(14))).toThrow('is more than 16 levels deep')
  })
})

describe('the types of typed data', () => {
  const chain = (length: number, field = 'x') => ({
    types: {
      EIP712Domain: [],
      ...Object.fromEntries(
        Array.from({ length }, (_each, at) => [
          `T${at}`,
          [{ name: field, type: at + 1 < length ? `T${at + 1}[]` : 'bool[]' }],
        ]),
      ),
    },
    primaryType: 'T0',
    domain: {},
    message: { [field]: [] },
  })
  const types = expect.objectContaining({ code: 'invalid_message', details: { path: 'types' } })

  test('are limited to 200, including the domain type', () => {
    expect(Object.keys(parse(chain(199)).types)).toHaveLength(200)
    expect(() => parse(chain(200))).toThrow(types)
    expect(() => parse(chain(6_000))).toThrow(types)
  })
  test('are limited to 16 KB in total, ignoring unused declarations', () => {
    // EIP712Domain() and T0(bool[] …,)
    const longest = 'x'.repeat(16 * 1024 - 'EIP712Domain()T0(bool[] ,)'.length)
    const { types: given, ...rest } = chain(1, longest)
    const unused = { Unused: [{ name: longest, type: 'bool' }] }
    expect(parse({ ...rest, types: { ...given, ...unused } }).primaryType).toBe('T0')
    expect(() => parse(chain(1, `${longest}x`))).toThrow(types)
  })
  test('are limited to 16 MB, counted once per struct', () => {
    const letters = 16 * 1024
    const used = 'EIP712Domain()Main(Part[] all,)Part(bool[] ,)'.length
    const name = 'x'.repeat(letters - used)
    const of = (structs: number) => ({
      types: {
        EIP712Domain: [],
        Main: [{ name: 'all', type: 'Part[]' }],
        Part: [{ name, type: 'bool[]' }],
      },
      primaryType: 'Main',
      domain: {},
      message: { all: Array.from({ length: structs }, () => ({ [name]: [] })) },
    })
    const read = (structs: number) => parseTypedData(JSON.stringify(of(structs)), { maxBytes: 2 ** 25 })
    // The domain and the message are structs, too.
    expect(read(1_022).primaryType).toBe('Main')
    expect(() => read(1_023)).toThrow(refused('message.all[1022]'))
  })
  test('are limited to 256 characters each, including brackets', () => {
    const long = `T${'x'.repeat(253)}`
    const named = (name: string) => {
      const data = base(`${name}[]`, [])
      return { ...data, types: { ...data.types, [name]: [] } }
    }
    expect(parse(named(long)).primaryType).toBe('Main')
    expect(() => parse(named(`${long}x`))).toThrow(refused('types.Inner[0].type'))
    expect(() => parse(base(`uint256${'[]'.repeat(40_000)}`, []))).toThrow(refused('types.Inner[0].type'))
  })
})

test('undeclared values are dropped', () => {
  const data = base('uint8', 1)
  const read = parse({
    ...data,
    extra: 1,
    types: { ...data.types, Unused: [{ name: 'a', type: 'nonsense' }] },
    domain: { chainId: 1, verifyingContract: 'shown nowhere' },
    message: { inner: { x: 1, y: 2 }, z: 3 },
  })
  expect(read).toEqual({
    types: data.types,
    primaryType: 'Main',
    domain: { chainId: '1' },
    message: { inner: { x: '1' } },
  })
})

test('any text is parsed or rejected with an error code', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((text) => JSON.stringify({ ...base('uint8', 1), message: JSON.parse(text) })),
  )
  fc.assert(
    fc.property(anything, (text) => {
      try {
        parseTypedData(text)
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_message' })
      }
    }),
  )
})
