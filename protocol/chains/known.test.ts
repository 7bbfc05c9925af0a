import { expect, test } from 'vitest'
import known from './known.json' with { type: 'json' }
import { knownChain } from './known.ts'
import { chainsOfViem } from './testing/write-known.ts'

test('the table is what viem says of its chains', () => {
  expect(known).toEqual(chainsOfViem())
})

// spec W8.18
test('a chain without an explorer has that of Ethereum', () => {
  expect(knownChain(1)).toEqual({
    id: 1,
    name: 'Ethereum',
    symbol: 'ETH',
    decimals: 18,
    explorerUrl: 'https://etherscan.io',
  })
  expect(knownChain(10)).toMatchObject({ name: 'OP Mainnet', explorerUrl: 'https://optimistic.etherscan.io' })
  expect(knownChain(31_337)).toMatchObject({ name: 'Anvil', explorerUrl: 'https://etherscan.io' })
})

test.each([0, -1, 1.5, 999_999_999_999, Number.NaN])('%d is no chain that is known', (id) => {
  expect(knownChain(id)).toBeUndefined()
})
