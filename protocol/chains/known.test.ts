import { describe, expect, test } from 'vitest'
import known from './known.json' with { type: 'json' }
import { findKnownChain, findNamedChain, getChain } from './known.ts'
import { readViemChains } from './testing/write-known.ts'

test("the table matches viem's chain list", () => {
  expect(known).toEqual(readViemChains())
})

// spec W8.18
test('a chain without an explorer falls back to that of Ethereum', () => {
  expect(findKnownChain(1)).toEqual({
    id: 1,
    name: 'Ethereum',
    symbol: 'ETH',
    decimals: 18,
    explorerUrl: 'https://etherscan.io',
    isOpStack: false,
  })
  expect(findKnownChain(10)).toMatchObject({
    name: 'OP Mainnet',
    explorerUrl: 'https://optimistic.etherscan.io',
  })
  expect(findKnownChain(31_337)).toMatchObject({ name: 'Anvil', explorerUrl: 'https://etherscan.io' })
})

test.each([0, -1, 1.5, 999_999_999_999, Number.NaN])('%d is not a known chain', (id) => {
  expect(findKnownChain(id)).toBeUndefined()
})

test.each([10, 130, 480, 8453, 34_443, 57_073, 7_777_777, 84_532, 11_155_420])(
  '%d is an OP Stack chain, which charges an L1 data fee',
  (id) => {
    expect(findKnownChain(id)).toMatchObject({ isOpStack: true })
  },
)
test.each([1, 137, 324, 42_161, 59_144, 31_337])('%d charges no L1 data fee', (id) => {
  expect(findKnownChain(id)).toMatchObject({ isOpStack: false })
})

describe("a chain in the operator's settings", () => {
  const own = { id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8 }
  test('has the name from the settings, known or not', () => {
    const chains = [
      { ...own, explorerUrl: 'https://explorer.feldnetz.example/' },
      { ...own, id: 10 },
    ]
    expect(getChain({ chains }, 9_119)).toEqual({
      ...own,
      explorerUrl: 'https://explorer.feldnetz.example',
      isOpStack: false,
    })
    // Whether it charges an L1 fee is still known.
    expect(getChain({ chains }, 10)).toMatchObject({ name: 'Feldnetz', isOpStack: true })
    expect(getChain({ chains: [{ ...own, id: 10, opStack: false }] }, 10)).toMatchObject({ isOpStack: false })
    expect(getChain({ chains: [{ ...own, opStack: true }] }, 9_119)).toMatchObject({ isOpStack: true })
  })

  test('has only an id if it is unknown', () => {
    expect(findNamedChain({ chains: [] }, 9_119)).toBeUndefined()
    expect(getChain({ chains: [] }, 9_119)).toEqual({
      id: 9_119,
      name: undefined,
      symbol: undefined,
      explorerUrl: 'https://etherscan.io',
      isOpStack: false,
    })
  })
})
