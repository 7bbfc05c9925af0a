/** What hashing costs. That it is right is proven where it is signed. */
import { expect, test } from 'vitest'
import { parseTypedData } from './typed-data.ts'
import { encodeTypedData } from './typed-data-bytes.ts'

const things = (types: number, values: number) =>
  parseTypedData(
    JSON.stringify({
      types: {
        EIP712Domain: [],
        Main: [{ name: 'all', type: 'Thing[]' }],
        Thing: Array.from({ length: types }, (_each, at) => ({ name: `p${at}`, type: `Part${at}[]` })),
        ...Object.fromEntries(
          Array.from({ length: types }, (_each, at) => [`Part${at}`, [{ name: 'of', type: 'Thing[]' }]]),
        ),
      },
      primaryType: 'Main',
      domain: {},
      message: {
        all: Array.from({ length: values }, () =>
          Object.fromEntries(Array.from({ length: types }, (_each, at) => [`p${at}`, []])),
        ),
      },
    }),
  )

/** The lengths of the texts of types that are hashed: those of values are whole words. */
function hashed(types: number, values: number): readonly number[] {
  const lengths: number[] = []
  encodeTypedData(things(types, values), (bytes) => {
    if (bytes.length % 32 !== 0) lengths.push(bytes.length)
    return new Uint8Array(32)
  })
  return lengths
}

test('a type is hashed once, however many values it has', () => {
  // Of the domain, the message, and what the message has many of.
  expect(hashed(100, 1)).toHaveLength(3)
  expect(hashed(100, 100)).toEqual(hashed(100, 1))
})

test('a list may be longer than a call may have arguments', () => {
  const data = {
    types: { EIP712Domain: [], Main: [{ name: 'all', type: 'bool[]' }] },
    primaryType: 'Main',
    domain: {},
    message: { all: Array.from({ length: 200_000 }, () => true) },
  }
  expect(encodeTypedData(data, () => new Uint8Array(32))).toHaveLength(66)
})
