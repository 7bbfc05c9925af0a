/** Compared with the hashes of viem, for operations and authorizations that viem builds on its own. */
import { batchAccount, entryPoint, type Payment, type UserOperation } from '@latchkey/protocol/wallet'
import { hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import {
  concatHex,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  keccak256,
  parseAbi,
  recoverAddress,
  toHex,
  toRlp,
} from 'viem'
import { entryPoint08Address, getUserOperationTypedData } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { hashAuthorization } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { toSignable } from './index.ts'
import { userOperationBytes } from './operation-bytes.ts'

const key = `0x${'11'.repeat(32)}` as const
const { address } = privateKeyToAccount(key)
const someone = `0x${'aa'.repeat(20)}` as const

const operation: UserOperation = {
  chainId: 31_337,
  nonce: '7',
  calls: [
    { to: someone, value: '1', data: '0x' },
    { to: `0x${'bb'.repeat(20)}`, value: '0', data: '0xa9059cbb' },
  ],
  verificationGasLimit: 100_000,
  callGasLimit: 200_000,
  authorizationNonce: null,
}

const abi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])

/** The hash of viem, which receives the operation as its users build it. */
function hashOperation(operation: UserOperation): Hex {
  const { chainId, nonce, calls, verificationGasLimit, callGasLimit, payment } = operation
  const batch = calls.map(({ to, value, data }) => ({ target: to, value: BigInt(value), data }))
  return hashTypedData(
    getUserOperationTypedData({
      chainId,
      entryPointAddress: entryPoint08Address,
      userOperation: {
        sender: address,
        nonce: BigInt(nonce),
        factory: '0x7702',
        factoryData: '0x',
        callData: encodeFunctionData({ abi, args: [batch] }),
        callGasLimit: BigInt(callGasLimit),
        verificationGasLimit: BigInt(verificationGasLimit),
        preVerificationGas: BigInt(payment?.preVerificationGas ?? 0),
        maxFeePerGas: BigInt(payment?.maxFeePerGas ?? 0),
        maxPriorityFeePerGas: BigInt(payment?.maxPriorityFeePerGas ?? 0),
        ...(payment && {
          paymaster: payment.paymaster,
          paymasterData: payment.paymasterData,
          paymasterVerificationGasLimit: BigInt(payment.paymasterVerificationGasLimit),
          paymasterPostOpGasLimit: BigInt(payment.paymasterPostOpGasLimit),
        }),
        signature: '0x',
        authorization: {
          address: batchAccount.address,
          chainId,
          nonce: 0,
          r: `0x${'1'.repeat(64)}`,
          s: `0x${'1'.repeat(64)}`,
          yParity: 0,
        },
      },
    }),
  )
}

const digestOf = (signed: UserOperation) => keccak256(userOperationBytes(signed, address))
const ask = (fields: object, digest: string = digestOf(operation)) =>
  toSignable({ method: 'eth_signUserOperation', params: [address, JSON.stringify(fields), digest] }, address)

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String)
const bytes = (options: object) => fc.uint8Array(options).map((value) => toHex(value))
const gas = fc.integer({ min: 0, max: 100_000_000 })
const anyOperation: fc.Arbitrary<UserOperation> = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 48 }),
  nonce: uint256,
  calls: fc.array(
    fc.record({
      to: bytes({ minLength: 20, maxLength: 20 }),
      value: uint256,
      data: bytes({ maxLength: 100 }),
    }),
    { minLength: 1, maxLength: 20 },
  ),
  verificationGasLimit: gas,
  callGasLimit: gas,
  authorizationNonce: fc.constant(null),
})
const fee = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map(String)
const anyPayment: fc.Arbitrary<Payment> = fc.record({
  preVerificationGas: gas,
  maxFeePerGas: fee,
  maxPriorityFeePerGas: fee,
  paymaster: fc.constant(someone),
  paymasterVerificationGasLimit: gas,
  paymasterPostOpGasLimit: gas,
  paymasterData: bytes({ maxLength: 100 }),
})
const payment: Payment = {
  preVerificationGas: 50_000,
  maxFeePerGas: '3000000000',
  maxPriorityFeePerGas: '1000000000',
  paymaster: someone,
  paymasterVerificationGasLimit: 40_000,
  paymasterPostOpGasLimit: 1,
  paymasterData: '0x12',
}

describe('a user operation', () => {
  it('is for EntryPoint 0.8', () => {
    expect(entryPoint).toBe(entryPoint08Address.toLowerCase())
  })

  it('has the hash that viem computes', () => {
    expect(digestOf(operation)).toBe(hashOperation(operation))
    fc.assert(fc.property(anyOperation, (any) => digestOf(any) === hashOperation(any)))
    fc.assert(
      fc.property(anyOperation, anyPayment, (any, payment) => {
        const paid = { ...any, payment }
        return digestOf(paid) === hashOperation(paid)
      }),
    )
  })

  it('is signed by the wallet, with the authorization after it', async () => {
    const hash = hashOperation(operation)
    const alone = ask(operation).sign(hexToBytes(key.slice(2))) as Hex
    expect(await recoverAddress({ hash, signature: alone })).toBe(address)

    const first = { ...operation, authorizationNonce: 3 }
    const { digest, sign } = ask(first, digestOf(first))
    const both = sign(hexToBytes(key.slice(2)))
    expect(both.slice(0, alone.length)).toBe(alone)
    const authorization = { address: batchAccount.address, chainId: 31_337, nonce: 3 } as const
    expect(
      await recoverAddress({
        hash: hashAuthorization(authorization),
        signature: `0x${both.slice(alone.length)}`,
      }),
    ).toBe(address)
    // The share is released for both together, and opens for no other pair.
    expect(digest).not.toBe(hash)
    expect(digest).not.toBe(digestOf({ ...first, authorizationNonce: 4 }))
  })

  it('authorizes the account contract as viem hashes it', () => {
    fc.assert(
      fc.property(anyOperation, fc.integer({ min: 0, max: 2 ** 48 }), (any, nonce) => {
        const signed = userOperationBytes({ ...any, authorizationNonce: nonce }, address)
        expect(keccak256(signed.subarray(66))).toBe(
          hashAuthorization({ address: batchAccount.address, chainId: any.chainId, nonce }),
        )
      }),
    )
  })

  it.each<[string, object]>([
    ['an authorization for another contract', { authorization: { address: someone, nonce: 0 } }],
    ['a delegate', { delegate: someone }],
    ['chain 0, which is every chain', { chainId: 0, authorizationNonce: 0 }],
    ['another sender', { sender: someone }],
    ['another entry point', { entryPoint: someone }],
    ['a paymaster', { paymasterAndData: someone }],
    ['fees', { maxFeePerGas: '1' }],
    ['fees that the wallet pays', { payment: { ...payment, paymaster: `0x${'0'.repeat(40)}` } }],
    ['a fee above a uint128', { payment: { ...payment, maxFeePerGas: String(2n ** 128n) } }],
    ['fees without a paymaster', { payment: { ...payment, paymaster: undefined } }],
    ['a paymaster with another field', { payment: { ...payment, token: someone } }],
    ['its own call data', { callData: '0x' }],
    ['no calls', { calls: [] }],
    ['twenty-one calls', { calls: Array(21).fill(operation.calls[0]) }],
    ['a call with another field', { calls: [{ ...operation.calls[0], operation: 1 }] }],
    ['an address in mixed case', { calls: [{ ...operation.calls[0], to: address }] }],
    ['half a byte', { calls: [{ ...operation.calls[0], data: '0x1' }] }],
    ['a value above a uint256', { calls: [{ ...operation.calls[0], value: String(2n ** 256n) }] }],
    ['a number with a zero before it', { nonce: '07' }],
    ['more gas than a block', { callGasLimit: 100_000_001 }],
  ])('is refused with %s', (_name, change) => {
    expect(() => ask({ ...operation, ...change })).toThrow(
      expect.objectContaining({
        code: 'invalid_request_arguments',
        message: 'The operation cannot be signed',
      }),
    )
  })

  it('is refused if a field differs from those of the digest', () => {
    const [first, second] = operation.calls
    const changes: Partial<UserOperation>[] = [
      { chainId: 1 },
      { nonce: '8' },
      { calls: [...operation.calls].reverse() },
      { calls: first ? [first] : [] },
      { calls: first && second ? [{ ...first, value: '2' }, second] : [] },
      { verificationGasLimit: 100_001 },
      { callGasLimit: 200_001 },
      { authorizationNonce: 0 },
      { payment },
    ]
    for (const change of changes) {
      expect(() => ask({ ...operation, ...change })).toThrow(
        'The operation does not match the digest that was shown',
      )
    }
    const paid = { ...operation, payment }
    const paymentChanges: Partial<Payment>[] = [
      { preVerificationGas: 50_001 },
      { maxFeePerGas: '3000000001' },
      { maxPriorityFeePerGas: '1000000001' },
      { paymaster: `0x${'bb'.repeat(20)}` },
      { paymasterVerificationGasLimit: 40_001 },
      { paymasterPostOpGasLimit: 2 },
      { paymasterData: '0x13' },
    ]
    for (const change of paymentChanges) {
      expect(() => ask({ ...paid, payment: { ...payment, ...change } }, digestOf(paid))).toThrow(
        'The operation does not match the digest that was shown',
      )
    }
    expect(() => ask(operation)).not.toThrow()
  })

  it('is refused for another wallet', () => {
    const params: [string, string, string] = [someone, JSON.stringify(operation), digestOf(operation)]
    expect(() => toSignable({ method: 'eth_signUserOperation', params }, address)).toThrow(
      'The request names another address than the wallet',
    )
  })
})

it('no transaction has the bytes of an authorization', () => {
  const list = toRlp(['0x01', batchAccount.address, '0x'])
  expect(() =>
    toSignable({ method: 'eth_signTransaction', params: [concatHex(['0x05', list]), address] }, address),
  ).toThrow('A transaction of this type is not signed')
})
