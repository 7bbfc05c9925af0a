import { describe, expect, it } from 'vitest'
import { isTokenCall, isUnlimited, parseTokenAction } from './token-action.ts'

const one = `${'0'.repeat(24)}${'a1'.repeat(20)}`
const other = `${'0'.repeat(24)}${'b2'.repeat(20)}`
const word = (number: bigint) => number.toString(16).padStart(64, '0')
const address = (word: string) => `0x${word.slice(24)}`
const coin = { address: `0x${'c3'.repeat(20)}`, symbol: undefined, decimals: 6 }
const collection = { ...coin, decimals: undefined }
const read = (
  data: string,
  token: { address: string; symbol: undefined; decimals: number | undefined } = coin,
) => parseTokenAction(token, `0x${data}`, (given) => given)

/** The selectors are standard: https://www.4byte.directory lists each. */
describe('parseTokenAction', () => {
  it.each([
    ['transfer', `a9059cbb${one}${word(5n)}`, { kind: 'token-transfer', to: address(one), amount: 5n }],
    [
      'transferFrom',
      `23b872dd${one}${other}${word(5n)}`,
      { kind: 'token-transfer-from', from: address(one), to: address(other), amount: 5n },
    ],
    ['approve', `095ea7b3${one}${word(5n)}`, { kind: 'approval', spender: address(one), amount: 5n }],
    [
      'approve, as good as without limit',
      `095ea7b3${one}${word(1n << 128n)}`,
      { kind: 'approval', spender: address(one), amount: null },
    ],
    [
      'increaseAllowance',
      `39509351${one}${word(7n)}`,
      { kind: 'approval', spender: address(one), amount: 7n },
    ],
    [
      'permit',
      `d505accf${one}${other}${word(7n)}${word(9n)}${word(28n)}${word(1n)}${word(2n)}`,
      { kind: 'approval', owner: address(one), spender: address(other), amount: 7n },
    ],
    [
      'permit of nothing',
      `d505accf${one}${other}${word(0n)}${word(9n)}${word(28n)}${word(1n)}${word(2n)}`,
      { kind: 'approval-revoked', owner: address(one), spender: address(other) },
    ],
    [
      'setApprovalForAll',
      `a22cb465${one}${word(1n)}`,
      { kind: 'approval-for-all', spender: address(one), isGiven: true },
    ],
  ])('%s', (_name, data, action) => {
    expect(read(data)).toMatchObject(action)
    expect(isTokenCall(`0x${data}`)).toBe(true)
  })

  it('decodes NFT calls if the token has no decimals', () => {
    const moved = { kind: 'nft-transfer', from: address(one), to: address(other), id: 5n, count: 1n }
    expect(read(`23b872dd${one}${other}${word(5n)}`, collection)).toMatchObject(moved)
    expect(read(`42842e0e${one}${other}${word(5n)}`, collection)).toMatchObject(moved)
    expect(read(`b88d4fde${one}${other}${word(5n)}${word(128n)}${word(0n)}`, collection)).toMatchObject(moved)
    expect(
      read(`f242432a${one}${other}${word(5n)}${word(3n)}${word(160n)}${word(0n)}`, collection),
    ).toMatchObject({
      ...moved,
      count: 3n,
    })
    expect(read(`095ea7b3${one}${word(1n << 200n)}`, collection)).toMatchObject({
      kind: 'nft-approval',
      isUnlimited: true,
    })
  })

  it.each([
    ['another call', `deadbeef${one}${word(5n)}`],
    ['a word too many', `a9059cbb${one}${word(5n)}${word(0n)}`],
    ['a word too few', `a9059cbb${one}`],
    ['an address with something before it', `a9059cbb${'f'.repeat(64)}${word(5n)}`],
    ['a yes that is neither', `a22cb465${one}${word(2n)}`],
    ['bytes that the receiver is called with', `b88d4fde${one}${other}${word(5n)}${word(128n)}${word(1n)}`],
    ['bytes that lie elsewhere', `b88d4fde${one}${other}${word(5n)}${word(96n)}${word(0n)}`],
    ['nothing', ''],
  ])('does not decode %s', (_name, data) => {
    expect(read(data)).toBeUndefined()
    expect(isTokenCall(`0x${data}`)).toBe(false)
  })
})

it('an amount above any balance is unlimited', () => {
  expect([1n << 128n, (1n << 256n) - 1n].map(isUnlimited)).toEqual([true, true])
  expect([0n, (1n << 128n) - 1n].map(isUnlimited)).toEqual([false, false])
})
