import { LatchkeyError } from '@latchkey/protocol'
import {
  ethereumMethods,
  getEthereumMethod,
  parseParams,
  rpcTransactionSchema,
} from '@latchkey/protocol/host'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { transactionOf } from './rpc-transaction.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const word = `0x${'ab'.repeat(32)}`

test.each<[string, readonly unknown[]]>([
  ['eth_getBalance', [address, { blockHash: word }]],
  ['eth_call', [{ to: address }, 'latest', {}]],
  ['eth_getTransactionReceipt', [word]],
  ['eth_requestAccounts', []],
  ['personal_sign', ['hello', address, 'a password']],
  ['eth_feeHistory', ['0x4', 'latest', [25, 75]]],
])('%s takes %j', (method, params) => {
  expect(parseParams(method, params)).toEqual(params)
})

test.each<[string, readonly unknown[], string]>([
  ['eth_getBalance', [], 'needs 1 params, and there are 0'],
  ['eth_chainId', [1], 'takes 0 params, and there are 1'],
  ['eth_getBalance', ['0x12', 'latest'], 'params[0]'],
  ['eth_getBalance', [address, 'newest'], 'params[1]: Not a block'],
  ['eth_getTransactionReceipt', [address], 'params[0]: Not 32 bytes in hex'],
  ['personal_sign', ['hello', 'me'], 'params[1]'],
  ['eth_signTypedData_v4', [address, 7], 'params[1]'],
  ['wallet_switchEthereumChain', [{ chainId: 10 }], 'params[0].chainId'],
  ['eth_sendTransaction', [{ to: address, blobVersionedHashes: [word] }], 'params[0].blobVersionedHashes'],
])('%s rejects %j with the path of the invalid value', (method, params, where) => {
  expect(() => parseParams(method, params)).toThrow(
    expect.objectContaining({ code: 'invalid_data', message: expect.stringContaining(where) }),
  )
})

test.each([
  ['eth_getBalance', [address]],
  ['eth_getCode', [address]],
  ['eth_getTransactionCount', [address]],
  ['eth_call', [{ to: address }]],
  ['eth_estimateGas', [{ to: address }]],
  ['eth_createAccessList', [{ to: address }]],
  ['eth_simulateV1', [{}]],
  ['eth_getStorageAt', [address, '0x0']],
  ['eth_getProof', [address, []]],
])('%s defaults to the latest block', (method, params) => {
  expect(parseParams(method, params)).toEqual([...params, 'latest'])
  expect(parseParams(method, [...params, 'earliest'])).toEqual([...params, 'earliest'])
})

test('parses any input from a page, or rejects it with an error code', () => {
  const methods = Object.keys(ethereumMethods)
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...methods), fc.string()),
      fc.array(fc.oneof(anything, fc.constant(address), fc.constant({ to: address })), { maxLength: 6 }),
      (method, params) => {
        try {
          const read = parseParams(method, params)
          const wasLeftOut = getEthereumMethod(method)?.blockAt === params.length
          expect(read).toHaveLength(wasLeftOut ? params.length + 1 : params.length)
        } catch (error) {
          if (!(error instanceof LatchkeyError)) throw error
          expect(['invalid_data', 'method_not_found']).toContain(error.code)
        }
      },
    ),
  )
})

describe('an amount of a transaction', () => {
  const names = ['gasLimit', 'gasPrice', 'value', 'maxPriorityFeePerGas', 'maxFeePerGas'] as const
  const read = (given: object) => v.safeParse(rpcTransactionSchema, { to: address, ...given }).success

  // spec W3.6. Libraries write the chain as hex here, as they do every quantity.
  test('accepts a number, a bigint or hex; the chain is a number or hex', () => {
    for (const name of names) {
      for (const good of [0, 21_000, 21_000n, '0x5208', `0x${'f'.repeat(64)}`]) {
        expect([name, good, read({ [name]: good })]).toEqual([name, good, true])
      }
      for (const bad of [
        '21000',
        '0x',
        '',
        'five',
        -1,
        -1n,
        1.5,
        Number.NaN,
        null,
        true,
        {},
        [1],
        `0x1${'f'.repeat(64)}`,
      ]) {
        expect([name, bad, read({ [name]: bad })]).toEqual([name, bad, false])
      }
    }
    expect([1, '0x1', 0, '1', 1n].map((chainId) => read({ chainId }))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  test('keeps the exact amount up to 256 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (amount) => {
        const written = `0x${amount.toString(16)}`
        const { value } = transactionOf(v.parse(rpcTransactionSchema, { to: address, value: written }), 1)
        expect(BigInt(value ?? -1)).toBe(amount)
      }),
    )
  })
})

describe('a transaction in JSON-RPC', () => {
  const read = (given: object) => transactionOf(v.parse(rpcTransactionSchema, given), 10)

  test('accepts alternative names for two fields, and sets the wallet’s chain', () => {
    expect(
      read({ to: address, input: '0xab', gas: '0x1', chainId: '0xa', type: '0x2', accessList: [] }),
    ).toEqual({
      to: address,
      data: '0xab',
      gasLimit: '0x1',
      chainId: 10,
    })
    expect(read({ to: null, data: '0x00' })).toEqual({ data: '0x00', chainId: 10 })
  })

  test.each([
    [
      { data: '0xab', input: '0xcd' },
      { data: '0xab', input: '0xAB' },
    ],
    [
      { gas: '0x1', gasLimit: '0x2' },
      { gas: '0x1', gasLimit: '0x01' },
    ],
    [
      { type: '0x0', maxFeePerGas: '0x1' },
      { type: '0x0', gasPrice: '0x1' },
    ],
    [
      { type: '0x2', gasPrice: '0x1' },
      { type: '0x2', maxFeePerGas: '0x1' },
    ],
  ])('rejects contradictory fields (%j)', (two, one) => {
    expect(() => read({ to: address, ...two })).toThrow(expect.objectContaining({ code: 'invalid_data' }))
    expect(read({ to: address, ...one })).toMatchObject({ to: address })
  })

  test.each([
    { type: '0x1' },
    { accessList: [{ address, storageKeys: [] }] },
    { authorizationList: [] },
    { maxFeePerBlobGas: '0x1' },
    { data: '0xabc' },
    { from: 'me' },
  ])('rejects a field that the dialog cannot show (%j)', (part) => {
    expect(v.safeParse(rpcTransactionSchema, { to: address, ...part }).success).toBe(false)
    expect(v.safeParse(rpcTransactionSchema, { to: address }).success).toBe(true)
  })
})
