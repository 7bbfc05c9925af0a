import { encodeFunctionData, parseAbi, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { createRpc } from '../../../chains/rpc.ts'
import { chainUrl, makeFakeChain, Refused } from '../../../testing/chain.ts'
import { makeFakeClock } from '../../../testing/clock.ts'
import { walletAddress } from '../../../testing/fixtures.ts'
import type { Transaction } from '../transaction.ts'
import { readAction } from './ethereum.ts'

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 count, bytes data)',
])

/** A chain with a token `USDC` of 6 decimals, or with a collection without decimals. */
const tokenChain = (isCollection = false, noDecimals: unknown = new Refused('reverted')) =>
  makeFakeChain({
    eth_getCode: () => '0x60',
    eth_call: (({ data }: { data: string }) => {
      if (data === '0x313ce567') return isCollection ? noDecimals : `0x${'6'.padStart(64, '0')}`
      if (data !== '0x95d89b41') return '0x'
      const word = (value: number) => value.toString(16).padStart(64, '0')
      return `0x${word(32)}${word(4)}${Buffer.from('USDC').toString('hex').padEnd(64, '0')}`
    }) as never,
  })
const usdc = { address: token, symbol: 'USDC', decimals: 6 }
const collection = { address: token, symbol: 'USDC', decimals: undefined }

const read = ({ fetch }: ReturnType<typeof makeFakeChain>, change: Partial<Transaction>) =>
  readAction(
    createRpc([chainUrl], { clock: makeFakeClock(), fetch }),
    { to: token, data: '0x', value: 0n, ...change } as Transaction,
    new AbortController().signal,
  )
const allowance = { data: encodeFunctionData({ abi, functionName: 'approve', args: [to, 5n] }) }

test.each([
  [
    'a transfer',
    encodeFunctionData({ abi, functionName: 'transfer', args: [to, parseUnits('5', 6)] }),
    false,
    { kind: 'token-transfer', token: usdc, to, amount: 5_000_000n },
  ],
  [
    'an approval',
    encodeFunctionData({ abi, functionName: 'approve', args: [to, 5n] }),
    false,
    { kind: 'approval', token: usdc, spender: to, amount: 5n },
  ],
  [
    'an unlimited approval',
    encodeFunctionData({ abi, functionName: 'approve', args: [to, 2n ** 256n - 1n] }),
    false,
    { kind: 'approval', token: usdc, spender: to, amount: null },
  ],
  [
    'an approval of an NFT',
    encodeFunctionData({ abi, functionName: 'approve', args: [to, 9n] }),
    true,
    { kind: 'nft-approval', token: collection, spender: to, id: 9n, isUnlimited: false },
  ],
  [
    'an approval of an NFT that would be an unlimited approval of a token',
    encodeFunctionData({ abi, functionName: 'approve', args: [to, 2n ** 128n] }),
    true,
    { kind: 'nft-approval', token: collection, spender: to, id: 2n ** 128n, isUnlimited: true },
  ],
  [
    'a transfer of an NFT',
    encodeFunctionData({ abi, functionName: 'transferFrom', args: [walletAddress, to, 9n] }),
    true,
    { kind: 'nft-transfer', token: collection, from: walletAddress, to, id: 9n, count: 1n },
  ],
  [
    'a transfer of several NFTs of one kind',
    encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [walletAddress, to, 9n, 3n, '0x'] }),
    true,
    { kind: 'nft-transfer', token: collection, from: walletAddress, to, id: 9n, count: 3n },
  ],
  [
    'a transfer of an NFT with empty data',
    encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [walletAddress, to, 9n, '0x'] }),
    true,
    { kind: 'nft-transfer', token: collection, from: walletAddress, to, id: 9n, count: 1n },
  ],
  [
    'an approval of a collection',
    encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [to, true] }),
    true,
    { kind: 'approval-for-all', token: collection, spender: to, isGiven: true },
  ],
] as const)('%s is understood', async (_name, data, isCollection, action) => {
  expect(await read(tokenChain(isCollection), { data })).toEqual(action)
})

test.each([
  ['reverts', new Refused('execution reverted')],
  ['reverts on a node with a code of its own', new Refused('VM execution error.', -32_015)],
  ['reverts on a node without a code for it', new Refused('VM Exception: revert', -32_000)],
  ['runs into an invalid instruction', new Refused('invalid opcode: INVALID', -32_000)],
  ['returns nothing', '0x'],
  ['returns too few bytes', '0x06'],
])('a contract whose decimals() %s is read as a collection', async (_name, answer) => {
  expect(await read(tokenChain(true, answer), allowance)).toMatchObject({
    kind: 'nft-approval',
    token: collection,
  })
})

test.each([
  ['accepts no more calls', new Refused('daily request count exceeded', -32_005)],
  ['limits the rate of calls', new Refused('Too Many Requests', 429)],
  ['has an error of its own', new Refused('header not found', -32_000)],
  ['returns no bytes', null],
])('nothing is read from a node that %s', async (_name, answer) => {
  await expect(read(tokenChain(true, answer), allowance)).rejects.toThrow()
  expect(await read(tokenChain(), allowance)).toMatchObject({ kind: 'approval', token: usdc, amount: 5n })
})

test('a token with more than 255 decimals is not understood', async () => {
  const withDecimals = (decimals: bigint) => tokenChain(true, `0x${decimals.toString(16).padStart(64, '0')}`)
  expect(await read(withDecimals(255n), allowance)).toMatchObject({
    kind: 'approval',
    token: { decimals: 255 },
  })
  for (const decimals of [256n, 2n ** 40n, 2n ** 256n - 1n]) {
    expect(await read(withDecimals(decimals), allowance)).toEqual({ kind: 'unknown', data: allowance.data })
  }
})

describe('a call is not understood', () => {
  test.each([
    [
      'with bytes after its arguments',
      { data: `${encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5n] })}00` as const },
    ],
    [
      'with coins for a token that takes none',
      { data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5n] }), value: 1n },
    ],
    [
      'that transfers an NFT with data',
      {
        data: encodeFunctionData({
          abi,
          functionName: 'safeTransferFrom',
          args: [walletAddress, to, 9n, '0x01'],
        }),
      },
    ],
    [
      'that transfers several NFTs with data',
      {
        data: encodeFunctionData({
          abi,
          functionName: 'safeTransferFrom',
          args: [walletAddress, to, 9n, 3n, '0x01'],
        }),
      },
    ],
    ['of no standard', { data: '0xdeadbeef' as const }],
  ])('%s', async (_name, change) => {
    expect(await read(tokenChain(), change)).toEqual({ kind: 'unknown', data: change.data })
  })

  test('to an address without a contract', async () => {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5n] })
    expect(await read(makeFakeChain(), { data })).toMatchObject({ kind: 'unknown' })
  })
})

test('a transaction without a recipient creates a contract', async () => {
  expect(await read(makeFakeChain(), { to: null, data: '0x6001' })).toEqual({
    kind: 'contract-creation',
    data: '0x6001',
  })
})
