import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { Transaction } from 'ethers'
import fc from 'fast-check'
import { type Hex, parseTransaction, serializeTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { toSignable } from './index.ts'
import { writeBytes, writeList } from './rlp.ts'

const key = hexToBytes('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const account = privateKeyToAccount(`0x${bytesToHex(key)}`)
const signable = (transaction: Hex, address: string = account.address) =>
  toSignable({ method: 'eth_signTransaction', params: [transaction, address] }, account.address)
const sign = (transaction: Hex, address?: string) => signable(transaction, address).sign(key) as Hex

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const feeMarket = {
  type: 'eip1559',
  chainId: 31_337,
  nonce: 7,
  to,
  value: 10n ** 18n,
  gas: 21_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
} as const
const legacy = { type: 'legacy', chainId: 1, nonce: 0, to, value: 0n, gas: 21_000n, gasPrice: 1n } as const

const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const data = fc.uint8Array({ maxLength: 300 }).map((bytes): Hex => `0x${bytesToHex(new Uint8Array(bytes))}`)
const common = {
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.integer({ min: 0, max: 2 ** 32 }),
  to: fc.constantFrom(to, undefined),
  value: amounts,
  gas: fc.bigInt({ min: 0n, max: 2n ** 64n }),
  data,
}

describe('eth_signTransaction', () => {
  it('signs a transaction of type 2 like viem, and ethers recovers its sender', async () => {
    const fees = fc.bigInt({ min: 0n, max: 2n ** 128n })
    await fc.assert(
      fc.asyncProperty(fc.record({ ...common, maxFeePerGas: fees }), async (given) => {
        const transaction = {
          ...given,
          type: 'eip1559',
          maxPriorityFeePerGas: given.maxFeePerGas / 2n,
        } as const
        const signed = sign(serializeTransaction(transaction))
        expect(signed).toBe(await account.signTransaction(transaction))
        expect(Transaction.from(signed).from).toBe(account.address)
        expect(Transaction.from(signed).chainId).toBe(BigInt(given.chainId))
      }),
      { numRuns: 60 },
    )
  })

  it('signs a legacy transaction with a chain ID like viem', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ ...common, gasPrice: amounts }), async (given) => {
        const transaction = { ...given, type: 'legacy' } as const
        const signed = sign(serializeTransaction(transaction))
        expect(signed).toBe(await account.signTransaction(transaction))
        expect(Transaction.from(signed).from).toBe(account.address)
      }),
      { numRuns: 60 },
    )
  })

  it.each<[string, Hex]>([
    ['of type 1', serializeTransaction({ ...legacy, type: 'eip2930' })],
    ['of type 3', '0x03c0'],
    ['of type 4', '0x04c0'],
    ['that is empty', '0x'],
  ])('refuses a transaction %s as an unsupported type', (_name, transaction) => {
    expect(() => signable(transaction)).toThrow(
      expect.objectContaining({
        code: 'invalid_request_arguments',
        message: 'A transaction of this type is not signed',
      }),
    )
  })

  it.each<[string, Hex]>([
    ['without a chain', serializeTransaction({ ...legacy, chainId: undefined })],
    ['of chain 0', written(feeMarketItems({ 0: new Uint8Array() }))],
    ['of a chain with a zero before it', written(feeMarketItems({ 0: hexToBytes('007a69') }))],
    ['of a chain of seven bytes', written(feeMarketItems({ 0: hexToBytes('01'.repeat(7)) }))],
    [
      'with an access list',
      serializeTransaction({ ...feeMarket, accessList: [{ address: to, storageKeys: [] }] }),
    ],
    ['with an empty text for an access list', list(...feeMarketItems({}), writeBytes(new Uint8Array()))],
    ['with a list for its data', list(...feeMarketItems({}).slice(0, 7), writeList([]), writeList([]))],
    ['with a list for a number', list(...feeMarketItems({}).with(1, writeList([])), writeList([]))],
    ['with a field too few', list(...feeMarketItems({}))],
    ['with a field too many', list(...feeMarketItems({}), writeList([]), writeBytes(new Uint8Array()))],
    ['of no fields', '0xc0'],
    ['that is signed already', serializeTransaction(feeMarket, { r: '0x1', s: '0x1', yParity: 0 })],
    [
      'of the legacy type that is signed already',
      serializeTransaction(legacy, { r: '0x1', s: '0x1', v: 37n, yParity: 0 }),
    ],
    ['with something after it', `${serializeTransaction(feeMarket)}00`],
    ['that is cut off', serializeTransaction(feeMarket).slice(0, -2) as Hex],
    ['to an address that is too short', written(feeMarketItems({ 5: hexToBytes('70') }))],
    ['with a zero before a number', written(feeMarketItems({ 1: hexToBytes('0007') }))],
    ['with a number that is too long', written(feeMarketItems({ 6: hexToBytes('01'.repeat(33)) }))],
  ])('refuses a transaction %s', (_name, transaction) => {
    // Fails before there is a key, because the server's release is bound to a digest of a valid transaction.
    expect(() => signable(transaction)).toThrow(
      expect.objectContaining({ code: 'invalid_request_arguments' }),
    )
  })

  it.each([1, 0x80, 256, 2 ** 48 - 1])('signs for chain %i, with both types', async (chainId) => {
    for (const transaction of [
      { ...feeMarket, chainId },
      { ...legacy, chainId },
    ]) {
      expect(sign(serializeTransaction(transaction))).toBe(await account.signTransaction(transaction))
    }
  })

  it('signs the valid counterparts', () => {
    expect(written(feeMarketItems({}))).toBe(serializeTransaction(feeMarket))
    expect(parseTransaction(sign(serializeTransaction(feeMarket)))).toMatchObject({
      chainId: 31_337,
      nonce: 7,
    })
  })

  it('refuses another address', () => {
    expect(() => sign(serializeTransaction(feeMarket), to)).toThrow('another address than the wallet')
  })

  it('refuses a number in a non-canonical encoding', () => {
    const right = serializeTransaction(feeMarket)
    // The nonce 7 as a string of one byte.
    const longer = hexToBytes(right.slice(4)).slice(1)
    const at = 3
    const spelled = concatBytes(longer.slice(0, at), Uint8Array.of(0x81), longer.slice(at))
    expect(longer[at]).toBe(7)
    const whole = concatBytes(Uint8Array.of(0x02, 0xc0 + spelled.length), spelled)
    expect(() => sign(`0x${bytesToHex(whole)}`)).toThrow('is malformed')
  })

  it('parses any bytes or refuses them with a code', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, typed) => {
        const given: Hex = `0x${typed ? '02' : ''}${bytesToHex(new Uint8Array(bytes))}`
        try {
          sign(given)
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request_arguments' })
        }
      }),
    )
  })
})

/** The nine fields of the example above, with replacements. */
function feeMarketItems(change: Readonly<Record<number, Uint8Array>>): readonly Uint8Array[] {
  const fields = ['7a69', '07', '01', '77359400', '5208', to.slice(2), '0de0b6b3a7640000', '']
  return fields.map((field, at) => writeBytes(change[at] ?? hexToBytes(field)))
}
function written(items: readonly Uint8Array[]): Hex {
  return list(...items, writeList([]))
}
function list(...items: readonly Uint8Array[]): Hex {
  return `0x02${bytesToHex(writeList(items))}`
}
