import * as v from 'valibot'
import { describe, expect, it, test } from 'vitest'
import { getChainType, isSameAddress, solanaAddress, walletAddress } from './wallet-address.ts'

const solana = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
const ethereum = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('an address', () => {
  it('determines its chain type', () => {
    expect([ethereum, solana].map(getChainType)).toEqual(['ethereum', 'solana'])
    expect([ethereum, solana, '1'.repeat(32)].map((address) => v.is(walletAddress, address))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('is compared case-insensitively on Ethereum and case-sensitively on Solana', () => {
    expect(isSameAddress(ethereum, ethereum.toLowerCase())).toBe(true)
    expect(isSameAddress(solana, solana)).toBe(true)
    expect(isSameAddress(solana, solana.toLowerCase())).toBe(false)
    expect(isSameAddress(solana, ethereum)).toBe(false)
  })

  test.each([
    ['a letter that base58 has not', `${solana.slice(0, -1)}0`],
    ['a small L', `${solana.slice(0, -1)}l`],
    ['a line after it', `${solana}\n`],
    ['too few letters', solana.slice(0, 31)],
    ['too many', `${solana}1`],
    ['nothing', ''],
  ])('of Solana is rejected with %s', (_what, address) => {
    expect(v.is(solanaAddress, address)).toBe(false)
    expect(v.is(walletAddress, address)).toBe(false)
  })
})
