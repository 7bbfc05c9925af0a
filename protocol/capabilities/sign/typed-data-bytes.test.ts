/** The cost of hashing. The signing tests cover its correctness. */
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

/** The lengths of the hashed type encodings. Values are whole words. */
function hashed(types: number, values: number): readonly number[] {
  const lengths: number[] = []
  encodeTypedData(things(types, values), (bytes) => {
    if (bytes.length % 32 !== 0) lengths.push(bytes.length)
    return new Uint8Array(32)
  })
  return lengths
}

test('a type is hashed once for any number of values', () => {
  // The types of the domain, the message and its many items.
  expect(hashed(100, 1)).toHaveLength(3)
  expect(hashed(100, 100)).toEqual(hashed(100, 1))
})

test('a list may exceed the maximum number of arguments', () => {
  const data = {
    types: { EIP712Domain: [], Main: [{ name: 'all', type: 'bool[]' }] },
    primaryType: 'Main',
    domain: {},
    message: { all: Array.from({ length: 200_000 }, () => true) },
  }
  expect(encodeTypedData(data, () => new Uint8Array(32))).toHaveLength(66)
})
