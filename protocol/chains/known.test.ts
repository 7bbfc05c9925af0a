import { describe, expect, test } from 'vitest'
import known from './known.json' with { type: 'json' }
import { findKnownChain, findNamedChain, getChain } from './known.ts'
import { chainsOfViem } from './testing/write-known.ts'

test('the table is what viem says of its chains', () => {
  expect(known).toEqual(chainsOfViem())
})

// spec W8.18
test('a chain without an explorer has that of Ethereum', () => {
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

test.each([0, -1, 1.5, 999_999_999_999, Number.NaN])('%d is no chain that is known', (id) => {
  expect(findKnownChain(id)).toBeUndefined()
})

test.each([10, 130, 480, 8453, 34_443, 57_073, 7_777_777, 84_532, 11_155_420])(
  '%d charges for data too: it is of the OP stack',
  (id) => {
    expect(findKnownChain(id)).toMatchObject({ isOpStack: true })
  },
)
test.each([1, 137, 324, 42_161, 59_144, 31_337])('%d charges for gas alone', (id) => {
  expect(findKnownChain(id)).toMatchObject({ isOpStack: false })
})

describe('a chain of the operator', () => {
  const own = { id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8 }
  test('is called what its settings say, whether a table has it or not', () => {
    const chains = [
      { ...own, explorerUrl: 'https://explorer.feldnetz.example/' },
      { ...own, id: 10 },
    ]
    expect(getChain({ chains }, 9_119)).toEqual({
      ...own,
      explorerUrl: 'https://explorer.feldnetz.example',
      isOpStack: false,
    })
    // What it charges for is known all the same.
    expect(getChain({ chains }, 10)).toMatchObject({ name: 'Feldnetz', isOpStack: true })
    expect(getChain({ chains: [{ ...own, id: 10, opStack: false }] }, 10)).toMatchObject({ isOpStack: false })
    expect(getChain({ chains: [{ ...own, opStack: true }] }, 9_119)).toMatchObject({ isOpStack: true })
  })

  test('that nobody has named has a number and no name', () => {
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
