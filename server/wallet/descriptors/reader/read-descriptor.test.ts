/** Hostile and unsupported descriptors. */
import { slowRepetitions } from '@latchkey/protocol/reading/linear-time'
import { describe, expect, test } from 'vitest'
import { DescriptorRefusal } from '../refusal.ts'
import { contract, orderDescriptor, orderType, swapDescriptor, swapSignature } from '../testing/samples.ts'
import { readDescriptor } from './read-descriptor.ts'

type Json = { [key: string]: unknown }
const read = (descriptor: unknown) => readDescriptor(JSON.stringify(descriptor))

/** Reads the sample with one value replaced. Removes the value if it is undefined. */
function withChange(path: readonly (string | number)[], value: unknown, sample: object = swapDescriptor) {
  const changed = structuredClone(sample) as Json
  let at = changed
  for (const key of path.slice(0, -1)) at = at[key] as Json
  at[path.at(-1) ?? ''] = value
  return changed
}
function refusalOf(descriptor: unknown) {
  try {
    return read(descriptor)
  } catch (error) {
    if (error instanceof DescriptorRefusal) return [error.code, error.path]
    throw error
  }
}
const format = ['display', 'formats', swapSignature]
const field = (index: number, ...rest: string[]) => [...format, 'fields', index, ...rest]
const at = (...rest: (string | number)[]) => [...format, ...rest].join('.')

test('reads calls by selector, with groups, definitions and lists of values', () => {
  const descriptor = read(swapDescriptor)
  expect(descriptor).toMatchObject({ kind: 'contract', owner: 'Harbour' })
  expect(descriptor.deployments).toEqual([{ chainId: '1', address: contract }])
  const [[selector, swap] = []] = descriptor.formats
  expect(selector).toMatch(/^0x[0-9a-f]{8}$/)
  expect(swap?.fields.map(({ label }) => label)).toEqual([
    'You pay',
    'Receiver',
    'Mode',
    'Until',
    'Paid in coins',
  ])
})

test('finds a call by its selector in the ABI, and reads the names of its parameters there', () => {
  const inputs = [
    { name: 'to', type: 'address' },
    { name: 'orders', type: 'tuple[]', components: [{ name: 'id', type: 'uint' }] },
  ]
  const abi = [
    { type: 'function', name: 'fill', inputs },
    { type: 'event', name: 'Filled' },
  ]
  const entry = { intent: 'Fill', fields: [{ path: 'orders.[0].id', label: 'First order' }] }
  const descriptor = (key: string) => ({
    ...swapDescriptor,
    context: { contract: { ...swapDescriptor.context.contract, abi } },
    display: { formats: { [key]: entry } },
  })
  const bySignature = read(descriptor('fill(address,(uint256)[])'))
  const [selector = ''] = bySignature.formats.keys()
  expect(read(descriptor(selector))).toEqual(bySignature)
})

test('finds the type of typed data by its encoding or by its schema', () => {
  const types = {
    Order: [
      { name: 'item', type: 'Item' },
      { name: 'buyer', type: 'address' },
    ],
    Item: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  }
  const { eip712 } = orderDescriptor.context
  const bySchema = {
    ...orderDescriptor,
    context: { eip712: { ...eip712, schemas: [{ primaryType: 'Order', types }] } },
    display: { formats: { Order: orderDescriptor.display.formats[orderType] } },
  }
  expect(read(bySchema)).toEqual(read(orderDescriptor))
})

describe('sizes', () => {
  test.each([
    ['a file of more than 128 KiB', { ...swapDescriptor, $comment: 'a'.repeat(128 * 1024) }],
    ['a huge list', withChange(['metadata', 'constants'], Array(20_000).fill(0))],
    [
      'a deep tree',
      withChange(
        ['metadata', 'info'],
        Array(20)
          .fill(0)
          .reduce((inner) => ({ inner }), {}),
      ),
    ],
  ])('refuses %s', (_name, descriptor) => {
    expect(refusalOf(descriptor)).toEqual(['descriptor_too_large', ''])
  })

  test('refuses lists nested a thousand times', () => {
    expect(() => readDescriptor('['.repeat(60_000) + ']'.repeat(60_000))).toThrow(
      expect.objectContaining({ code: 'descriptor_too_large' }),
    )
  })

  test.each([
    ['owner', ['metadata', 'owner'], 61, 'metadata.owner'],
    ['intent', [...format, 'intent'], 81, at('intent')],
    ['label', field(1, 'label'), 61, at('fields', 1, 'label')],
  ])('refuses a longer %s', (_name, path, length, refusedAt) => {
    expect(refusalOf(withChange(path, 'a'.repeat(length)))).toEqual(['descriptor_invalid', refusedAt])
    expect(refusalOf(withChange(path, 'a'.repeat(length - 1)))).toMatchObject({ kind: 'contract' })
  })

  test('refuses more than 60 fields, and 51 deployments', () => {
    const fields = Array.from({ length: 61 }, () => ({ path: 'to', label: 'To' }))
    expect(refusalOf(withChange([...format, 'fields'], fields))).toEqual(['descriptor_invalid', at('fields')])
    const deployments = Array.from({ length: 51 }, (_, chain) => ({ chainId: chain + 1, address: contract }))
    expect(refusalOf(withChange(['context', 'contract', 'deployments'], deployments))).toMatchObject([
      'descriptor_invalid',
      expect.anything(),
    ])
  })

  test('reads each text in linear time', () => {
    expect(slowRepetitions((text) => readDescriptor(text))).toEqual([])
    expect(
      slowRepetitions(
        (text) => readDescriptor(text),
        (repeated) => JSON.stringify(withChange(['metadata', 'owner'], repeated.slice(0, 1_000))),
      ),
    ).toEqual([])
    const withKey = (key: string) =>
      JSON.stringify({
        ...swapDescriptor,
        display: { formats: { [key]: swapDescriptor.display.formats[swapSignature] } },
      })
    expect(
      slowRepetitions(
        (text) => readDescriptor(text),
        (repeated) => withKey(`f(${repeated.slice(0, 100_000)}`),
      ),
    ).toEqual([])
  })
})

describe('text', () => {
  test('loses control and bidi characters, line breaks and look-alikes of compatibility', () => {
    const owner = '\u202EHar\u0000bo\u200Dur\u2028\n Ｌtd\u2069'
    expect(read(withChange(['metadata', 'owner'], owner)).owner).toBe('Harbour Ltd')
  })

  test('is refused if nothing is left of it', () => {
    expect(refusalOf(withChange(field(1, 'label'), '\u200B\u202E '))).toEqual([
      'descriptor_invalid',
      at('fields', 1, 'label'),
    ])
  })
})

describe('keys', () => {
  test.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s anywhere', (key) => {
    const text = JSON.stringify(swapDescriptor).replace('"mode":{', `"${key}":{`)
    expect(() => readDescriptor(text)).toThrow(
      expect.objectContaining({ code: 'descriptor_invalid', path: key }),
    )
  })

  test('does not find properties that every object has', () => {
    expect(refusalOf(withChange(field(0, '$ref'), '$.display.definitions.toString'))).toEqual([
      'descriptor_invalid',
      at('fields', 0, '$ref'),
    ])
    expect(refusalOf(withChange(field(2, 'params'), { $ref: '$.metadata.enums.valueOf' }))).toEqual([
      'descriptor_invalid',
      at('fields', 2, 'params.$ref'),
    ])
    expect(refusalOf(withChange(field(1, 'path'), '@.toString'))).toEqual([
      'descriptor_invalid',
      at('fields', 1, 'path'),
    ])
    expect(refusalOf(withChange(field(1, 'path'), 'hasOwnProperty'))).toEqual([
      'descriptor_invalid',
      at('fields', 1, 'path'),
    ])
  })

  test.each([
    [
      'a definition with a reference',
      ['display', 'definitions', 'amount', '$ref'],
      '$.display.definitions.amount',
    ],
    ['an unknown property of a field', field(1, 'value'), 'Nothing'],
    ['an unknown format', field(1, 'format'), 'calldata'],
    ['a condition', field(1, 'visible'), { ifNotIn: [1] }],
  ])('refuses %s', (_name, path, value) => {
    expect(refusalOf(withChange(path, value))).toMatchObject(['descriptor_invalid', expect.anything()])
  })
})

describe('paths', () => {
  test.each([
    'missing',
    'inputs',
    'inputs.[]',
    'inputs.amountIn',
    'inputs.[].missing',
    'to.[0]',
    'to.[0:4].x',
    'mode.[a]',
    'mode.',
    '.mode',
    '@.gas',
    '@.value.x',
    '',
  ])('refuses %j, which is not in the data', (path) => {
    expect(refusalOf(withChange(field(1, 'path'), path))).toEqual([
      'descriptor_invalid',
      at('fields', 1, 'path'),
    ])
  })

  test('refuses an index out of the bounds of a fixed list', () => {
    const entry = (path: string) => ({ intent: 'Vote', fields: [{ path, label: 'Vote' }] })
    const descriptor = (path: string) => ({
      ...swapDescriptor,
      display: { formats: { 'vote(uint8[3] votes)': entry(path) } },
    })
    expect(read(descriptor('votes.[2]'))).toMatchObject({ kind: 'contract' })
    expect(refusalOf(descriptor('votes.[3]'))).toMatchObject(['descriptor_invalid', expect.anything()])
    expect(refusalOf(descriptor('votes.[-4]'))).toMatchObject(['descriptor_invalid', expect.anything()])
  })

  test('refuses a required path without a field, also if its field is never visible', () => {
    expect(refusalOf(withChange([...format, 'required'], ['extra']))).toEqual([
      'descriptor_invalid',
      at('required'),
    ])
    expect(refusalOf(withChange(field(1, 'visible'), 'never'))).toEqual([
      'descriptor_invalid',
      at('required'),
    ])
  })
})

describe('types', () => {
  const withSignature = (signature: string) => ({
    ...swapDescriptor,
    display: { formats: { [signature]: { intent: 'Call', fields: [] } } },
  })
  test.each([
    'f(()[] x)',
    'f(uint256[0] x)',
    'f(uint257 x)',
    'f(bytes33 x)',
    'f(address x,uint8 x)',
    'f(address x))',
    'f(address x',
    'f(,)',
    'f(Struct x)',
    `f(${'('.repeat(20)}uint8${')'.repeat(20)} x)`,
    `f(uint8${'[]'.repeat(20)} x)`,
    'transfer',
    '0xa9059cbb',
  ])('refuses the signature %j', (signature) => {
    expect(refusalOf(withSignature(signature))).toEqual([
      'descriptor_invalid',
      `display.formats.${signature}`,
    ])
  })

  test.each([
    'Node(Node[] children)',
    'A(B b)B(A a)',
    'A(Missing b)',
    'A(uint8 x,uint8 x)',
    'A(uint8 x)A(uint8 y)',
    'A(uint8 x) and more',
    `${Array.from({ length: 12 }, (_, at) => `T${at}(T${at + 1} x)`).join('')}T12(uint8 x)`,
  ])('refuses the type %j', (type) => {
    const entry = { intent: 'Sign', fields: [] }
    const descriptor = { ...orderDescriptor, display: { formats: { [type]: entry } } }
    expect(refusalOf(descriptor)).toEqual(['descriptor_invalid', `display.formats.${type}`])
  })

  test('reads types that many structs share without copying them', () => {
    const names = Array.from({ length: 8 }, (_, level) => `T${level}`)
    const wide = names.map((name, level) => {
      const inner = level === 7 ? 'uint8' : `T${level + 1}`
      return `${name}(${Array.from({ length: 20 }, (_, at) => `${inner} f${at}`).join(',')})`
    })
    const descriptor = {
      ...orderDescriptor,
      display: { formats: { [wide.join('')]: { intent: 'Sign', fields: [] } } },
    }
    expect(read(descriptor)).toMatchObject({ kind: 'eip712' })
  })

  test('refuses two formats of one call', () => {
    const entry = { intent: 'Call', fields: [] }
    const formats = { 'f(uint256 a)': entry, 'f(uint b)': entry }
    expect(refusalOf({ ...swapDescriptor, display: { formats } })).toEqual([
      'descriptor_invalid',
      'display.formats',
    ])
  })
})

describe('what would hide a value or needs another server is not supported', () => {
  test.each([
    ['includes', ['includes'], 'common.json', swapDescriptor],
    ['context.contract.abi', ['context', 'contract', 'abi'], 'https://abi.example', swapDescriptor],
    ['context.contract.factory', ['context', 'contract', 'factory'], {}, swapDescriptor],
    [
      'context.contract.addressMatcher',
      ['context', 'contract', 'addressMatcher'],
      'https://a.example',
      swapDescriptor,
    ],
    ['context.eip712.schemas', ['context', 'eip712', 'schemas'], ['https://schema.example'], orderDescriptor],
    ['context.eip712.domainSeparator', ['context', 'eip712', 'domainSeparator'], '0x00', orderDescriptor],
    [at('fields', 1, 'path'), field(1, 'path'), '$.metadata.constants.x', swapDescriptor],
  ])('%s', (refusedAt, path, value, sample) => {
    expect(refusalOf(withChange(path, value, sample))).toEqual(['descriptor_not_supported', refusedAt])
  })

  test('units that are assets, and coins that are contracts', () => {
    const unit = { path: 'deadline', label: 'Price', format: 'unit', params: { base: 'USDC', decimals: 18 } }
    expect(refusalOf(withChange(field(1), unit))).toEqual([
      'descriptor_not_supported',
      at('fields', 1, 'params.base'),
    ])
    const params = { tokenPath: 'inputs.[].tokenIn', nativeCurrencyAddress: contract }
    expect(refusalOf(withChange(field(0, 'params'), params))).toEqual([
      'descriptor_not_supported',
      at('fields', 0, 'params.nativeCurrencyAddress'),
    ])
  })
})
