/** Tests the parsing of requests, against the library that hosts use and against forged requests. */
import {
  batchAccount,
  type Delegation,
  entryPoint,
  noDelegate,
  type Payment,
  type UserOperation,
  type WalletRpcRequest,
} from '@latchkey/protocol/wallet'
import fc from 'fast-check'
import {
  concatHex,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  parseAbi,
  serializeTransaction,
  serializeTypedData,
  type TransactionSerializable,
  toHex,
  toRlp,
} from 'viem'
import { entryPoint08Address, getUserOperationTypedData } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { hashAuthorization } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { encodeOperation } from './read-operation.ts'
import { readRequest } from './read-request.ts'

const { address, signTransaction } = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const somebody = '0x00000000000000000000000000000000000000aa'
const code = (expected: string) => expect.objectContaining({ code: expected })

const personal = (message: string, signer: string = address): WalletRpcRequest => ({
  method: 'personal_sign',
  params: [message, signer],
})
const transaction = (serialized: string, signer: string = address): WalletRpcRequest => ({
  method: 'eth_signTransaction',
  params: [serialized, signer],
})

describe('a message', () => {
  test('has the digest that the library computes, as text and as hex', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text) => {
        fc.pre(!text.startsWith('0x') && text.isWellFormed())
        const digest = hashMessage(text)
        expect(readRequest(personal(text), address)).toMatchObject({ kind: 'message', digest })
        expect(readRequest(personal(toHex(text)), address).digest).toBe(digest)
      }),
    )
  })

  test.each([
    ['Hello', true],
    ['Grüße aus 東京, مرحبا 👩‍💻\n\tund \r\n mehr', true],
    [toHex('Hello'), true],
    // The hash of a smart account's operation, which wallets are requested to sign.
    [`0x${'b5'.repeat(32)}`, false],
    ['0xff', false],
    ['0x00', false],
    [toHex('Hello\u0000'), false],
    ['a\u0007b', false],
    ['\ue000', false],
  ])('%j is text: %s', (message, isText) => {
    expect(readRequest(personal(message), address)).toMatchObject({ kind: 'message', isText })
  })

  test('may name its signer in another letter case', () => {
    expect(readRequest(personal('hi', address.toLowerCase()), address).kind).toBe('message')
  })

  test.each([
    ['nothing', '0x'],
    ['no text', ''],
    ['hex with a suffix', '0xabzz'],
    ['hex with a prefix', '0xzz0xab'],
    ['half a byte', '0x1'],
    ['text that only resembles hex', '0xhello'],
    ['a lone surrogate', 'a\ud83d'],
    ['text that resembles a proof', 'latchkey/wallet-proof/1\n'],
    ['the same as hex', toHex('latchkey/wallet-proof/1\n')],
    ['more than 64 KiB', 'x'.repeat(65_537)],
  ])('of %s is rejected', (_name, message) => {
    expect(() => readRequest(personal(message), address)).toThrow(code('invalid_message'))
    expect(readRequest(personal('x'.repeat(65_536)), address).kind).toBe('message')
  })

  test('of another signer is rejected', () => {
    expect(() => readRequest(personal('hi', somebody), address)).toThrow(code('invalid_data'))
  })
})

describe('typed data', () => {
  const data = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Person: [{ name: 'wallet', type: 'address' }],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'amount', type: 'uint256' },
        { name: 'tags', type: 'bytes32[]' },
      ],
    },
    primaryType: 'Mail',
    domain: { name: 'Ether Mail', chainId: '1', verifyingContract: somebody },
    message: { from: { wallet: somebody }, amount: '12', tags: [`0x${'ab'.repeat(32)}`] },
  }
  const digest = hashTypedData(data as unknown as Parameters<typeof hashTypedData>[0])
  const typed = (json: unknown, shown: string = digest, signer: string = address): WalletRpcRequest => ({
    method: 'eth_signTypedData_v4',
    params: [signer, JSON.stringify(json), shown],
  })

  test('has the digest that the library computes, and its chain and verifying contract', () => {
    expect(readRequest(typed(data), address)).toEqual({
      kind: 'typed_data',
      primaryType: 'Mail',
      digest,
      structs: expect.arrayContaining(['EIP712Domain', 'Mail', 'Person']),
      chainId: '1',
      contract: expect.stringMatching(/^0x0+aa$/i),
      tokens: [],
      movesCoin: false,
    })
    expect(readRequest(typed(data, digest.toUpperCase().replace('0X', '0x')), address).digest).toBe(digest)
  })

  test('is rejected if the shown digest differs', () => {
    expect(() => readRequest(typed(data, keccak256('0x01')), address)).toThrow(code('invalid_data'))
    const other = { ...data, message: { ...data.message, amount: '13' } }
    expect(() => readRequest(typed(other), address)).toThrow(code('invalid_data'))
  })

  test.each([
    ['an out-of-range number', { ...data, message: { ...data.message, amount: '-1' } }],
    ['a string in place of a number', { ...data, message: { ...data.message, amount: 'twelve' } }],
    ['a missing field', { ...data, message: { amount: '12', tags: [] } }],
    ['no types', { ...data, types: {} }],
    ['a chain id that is not a number', { ...data, domain: { ...data.domain, chainId: true } }],
  ])('with %s is rejected', (_name, json) => {
    expect(() => readRequest(typed(json), address)).toThrow(code('invalid_message'))
  })

  test('rejects an address with a wrong checksum for any digest', () => {
    const right = privateKeyToAccount(`0x${'22'.repeat(32)}`).address
    const wrong = right.replace('e194', 'E194')
    expect(wrong).not.toBe(right)
    const to = (wallet: string) => {
      const json = { ...data, message: { ...data.message, from: { wallet } } }
      const written = { ...json, message: { ...json.message, from: { wallet: wallet.toLowerCase() } } }
      return typed(json, hashTypedData(written as unknown as Parameters<typeof hashTypedData>[0]))
    }
    expect(() => readRequest(to(wrong), address)).toThrow(code('invalid_message'))
    for (const wallet of [right, right.toLowerCase()]) {
      expect(readRequest(to(wallet), address).kind).toBe('typed_data')
    }
  })

  test.each([
    ['a chain of types', { types: 6_000, brackets: 1 }],
    ['a list of lists of lists', { types: 1, brackets: 40_000 }],
  ])('with %s that is too long is rejected', (_name, { types: length, brackets }) => {
    const types = Object.fromEntries(
      Array.from({ length }, (_each, at) => [
        `T${at}`,
        [{ name: 'x', type: `${at + 1 < length ? `T${at + 1}` : 'bool'}${'[]'.repeat(brackets)}` }],
      ]),
    )
    const json = { types: { EIP712Domain: [], ...types }, primaryType: 'T0', domain: {}, message: { x: [] } }
    expect(() => readRequest(typed(json), address)).toThrow(code('invalid_message'))
  })

  test('of another signer is rejected', () => {
    expect(() => readRequest(typed(data, digest, somebody), address)).toThrow(code('invalid_data'))
  })
})

// spec W3.6
describe('a transaction', () => {
  const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const fee = fc.bigInt({ min: 0n, max: 2n ** 64n })
  const hex = (constraints: fc.IntArrayConstraints) =>
    fc.uint8Array(constraints).map((bytes): Hex => toHex(bytes))
  const common = {
    chainId: fc.integer({ min: 1, max: 2 ** 40 }),
    nonce: fc.integer({ min: 0, max: 2 ** 40 }),
    to: fc.option(hex({ minLength: 20, maxLength: 20 }), { nil: undefined }),
    value: word,
    data: hex({ maxLength: 80 }),
    gas: fee,
  }
  const transactions = fc.oneof(
    fc
      .record({ ...common, maxPriorityFeePerGas: fee, more: fee })
      .map(({ more, maxPriorityFeePerGas, ...rest }) => ({
        ...rest,
        type: 'eip1559' as const,
        maxPriorityFeePerGas,
        maxFeePerGas: maxPriorityFeePerGas + more,
      })),
    fc.record({ ...common, gasPrice: fee }).map((rest) => ({ ...rest, type: 'legacy' as const })),
  )

  test('of either type is parsed without changes', () => {
    fc.assert(
      fc.property(transactions, (given) => {
        const serialized = serializeTransaction(given as TransactionSerializable)
        const price = given.type === 'legacy' ? given.gasPrice : given.maxFeePerGas
        expect(readRequest(transaction(serialized), address)).toEqual({
          kind: 'transaction',
          digest: keccak256(serialized),
          chainId: String(given.chainId),
          to: given.to,
          value: given.value,
          data: given.data,
          mostFee: given.gas * price,
          serialized,
        })
      }),
    )
  })

  test('has one encoding only: other bytes are rejected, or parsed as another transaction', () => {
    const changes = fc.array(fc.record({ at: fc.nat(), to: fc.integer({ min: 0, max: 255 }) }), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(transactions, changes, (given, list) => {
        const serialized = serializeTransaction(given as TransactionSerializable)
        const bytes = hexToBytes(serialized)
        for (const { at, to } of list) bytes[at % bytes.length] = to
        const changed = toHex(bytes)
        fc.pre(changed !== serialized)
        const before = readRequest(transaction(serialized), address)
        let read: ReturnType<typeof readRequest> | undefined
        try {
          read = readRequest(transaction(changed), address)
        } catch (error) {
          expect(error).toEqual(code('invalid_data'))
        }
        if (read) expect(read.digest).not.toBe(before.digest)
      }),
      { numRuns: 300 },
    )
  })

  test('of random bytes is rejected, or parsed without changes', () => {
    fc.assert(
      fc.property(fc.constantFrom('0x', '0x02', '0x01', '0xf8'), hex({ maxLength: 120 }), (head, rest) => {
        try {
          readRequest(transaction(concatHex([head as Hex, rest])), address)
        } catch (error) {
          expect(error).toEqual(code('invalid_data'))
        }
      }),
      { numRuns: 300 },
    )
  })

  const plain = {
    type: 'eip1559',
    chainId: 1,
    nonce: 1,
    to: somebody,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
  } as const
  const legacy = { type: 'legacy', chainId: 1, nonce: 1, to: somebody, gas: 21_000n, gasPrice: 1n } as const
  const refused: Readonly<Record<string, () => Hex | Promise<Hex>>> = {
    'that is signed': () => signTransaction(plain),
    'of the old kind that is signed': () => signTransaction(legacy),
    'of the old kind without a chain': () => serializeTransaction({ ...legacy, chainId: undefined }),
    'of kind 1': () => serializeTransaction({ ...legacy, type: 'eip2930', accessList: [] }),
    'with an access list': () =>
      serializeTransaction({ ...plain, accessList: [{ address: somebody, storageKeys: [] }] }),
    'with a byte behind it': () => concatHex([serializeTransaction(plain), '0x00']),
    'that was cut': () => serializeTransaction(plain).slice(0, -2) as Hex,
    'of nothing': () => '0x',
    'with a nought before a number': () => unusual({ gas: '0x005208' }),
    'with a nought for none': () => unusual({ value: '0x00' }),
  }
  /** A transaction in RLP, with a field that is not encoded in the shortest way. */
  const unusual = (change: { gas?: Hex; value?: Hex }) => {
    const { gas = '0x5208', value = '0x01' } = change
    return concatHex(['0x02', toRlp(['0x01', '0x01', '0x01', '0x02', gas, somebody, value, '0x', []])])
  }
  test('that is encoded field by field equals that of the library', () => {
    expect(unusual({})).toBe(serializeTransaction(plain))
  })

  test.each(Object.entries(refused))('%s is rejected', async (_name, made) => {
    const serialized = await made()
    expect(() => readRequest(transaction(serialized), address)).toThrow(code('invalid_data'))
    expect(readRequest(transaction(serializeTransaction(plain)), address).kind).toBe('transaction')
    expect(readRequest(transaction(serializeTransaction(legacy)), address).kind).toBe('transaction')
  })

  test('of another signer is rejected', () => {
    const serialized = serializeTransaction(plain)
    expect(() => readRequest(transaction(serialized, somebody), address)).toThrow(code('invalid_data'))
  })
})

describe('an operation', () => {
  const fields: UserOperation = {
    chainId: 8453,
    nonce: '7',
    calls: [
      { to: somebody, value: '5', data: '0x' },
      { to: `0x${'bb'.repeat(20)}`, value: '0', data: '0xa9059cbb' },
    ],
    verificationGasLimit: 100_000,
    callGasLimit: 200_000,
    authorizationNonce: null,
  }
  const batchAbi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])
  const typedData = getUserOperationTypedData({
    chainId: 8453,
    entryPointAddress: entryPoint08Address,
    userOperation: {
      sender: address,
      nonce: 7n,
      factory: '0x7702',
      factoryData: '0x',
      callData: encodeFunctionData({
        abi: batchAbi,
        args: [fields.calls.map(({ to, value, data }) => ({ target: to, value: BigInt(value), data }))],
      }),
      callGasLimit: 200_000n,
      verificationGasLimit: 100_000n,
      preVerificationGas: 0n,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
      signature: '0x',
      authorization: {
        address: batchAccount.address,
        chainId: 8453,
        nonce: 3,
        r: `0x${'1'.repeat(64)}`,
        s: `0x${'1'.repeat(64)}`,
        yParity: 0,
      },
    },
  })
  const ask = (change: object = {}, digest: string = hashTypedData(typedData), signer: string = address) =>
    readRequest(
      { method: 'eth_signUserOperation', params: [signer, JSON.stringify({ ...fields, ...change }), digest] },
      address,
    )

  test('has the hashes that the library computes, and the calls of the request', () => {
    expect(ask()).toEqual({
      kind: 'operation',
      digest: hashTypedData(typedData),
      chainId: '8453',
      authorizes: false,
      calls: [
        { chainId: '8453', to: somebody, value: 5n, data: '0x', mostFee: 0n },
        { chainId: '8453', to: `0x${'bb'.repeat(20)}`, value: 0n, data: '0xa9059cbb', mostFee: 0n },
      ],
    })
    const encoded = encodeOperation({ ...fields, authorizationNonce: 3 }, address)
    expect(encoded.hash).toBe(hashTypedData(typedData))
    expect(encoded.authorizationHash).toBe(
      hashAuthorization({ address: batchAccount.address, chainId: 8453, nonce: 3 }),
    )
    expect(ask({ authorizationNonce: 3 }, encoded.digest)).toMatchObject({ authorizes: true })
  })

  test('has the hash of its fees and paymaster, as the dialog computes it', () => {
    const signer = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
    const payment: Payment = {
      preVerificationGas: 50_000,
      maxFeePerGas: '3000000000',
      maxPriorityFeePerGas: '1000000000',
      paymaster: `0x${'b2'.repeat(20)}`,
      paymasterVerificationGasLimit: 40_000,
      paymasterPostOpGasLimit: 1,
      paymasterData: '0x12',
    }
    const calls = [{ to: `0x${'a1'.repeat(20)}`, value: '5', data: '0x' }] as const
    const paid: UserOperation = { ...fields, calls: [...calls], payment }
    expect(encodeOperation(paid, signer).digest).toBe(
      '0xb1f9a598f7351ab6622393504236be90fc8bb8720c188c19bf0e8887a93717b2',
    )
  })

  test.each<[string, object]>([
    ['chain 0', { chainId: 0 }],
    ['other calls', { calls: fields.calls.slice(1) }],
    ['an authorization that was not shown', { authorizationNonce: 3 }],
    ['an authorization for another contract', { delegate: somebody }],
    ['a paymaster', { paymasterAndData: somebody }],
    ['a fee', { maxFeePerGas: '1' }],
  ])('with %s is rejected', (_name, change) => {
    expect(() => ask(change)).toThrow(code('invalid_data'))
  })

  test('of another wallet is rejected', () => {
    expect(() => ask({}, hashTypedData(typedData), somebody)).toThrow(code('invalid_data'))
  })

  test('of this wallet is not signed as typed data, which shows no calls', () => {
    const EIP712Domain = [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ]
    const request = (data: typeof typedData): WalletRpcRequest => {
      const text = serializeTypedData({ ...data, types: { EIP712Domain, ...data.types } } as never)
      return { method: 'eth_signTypedData_v4', params: [address, text, hashTypedData(data)] }
    }
    expect(() => readRequest(request(typedData), address)).toThrow(code('invalid_message'))
    const ofContract = { ...typedData, message: { ...typedData.message, sender: somebody } } as const
    expect(readRequest(request(ofContract), address)).toMatchObject({
      primaryType: 'PackedUserOperation',
      contract: expect.stringMatching(new RegExp(entryPoint, 'i')),
    })
  })
})

describe('a change of the delegate', () => {
  const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
  const fields: Delegation = {
    chainId: 8453,
    delegate: noDelegate,
    nonce: 1,
    fees: { gas: 81_000, maxFee: '3000000000', priorityFee: '0' },
  }
  /** The vault and the dialog compute the same from these fields. */
  const ownDigest = '0x344197a6f822320c8ba4965dcca4b11e022f20db054c8c6ccf5fe440c8b22edf'
  const ask = (change: object, digest: string) =>
    readRequest(
      { method: 'eth_signAuthorization', params: [wallet, JSON.stringify({ ...fields, ...change }), digest] },
      wallet,
    )

  test('has the hash that the library computes, or that of its transaction too', () => {
    const hash = hashAuthorization({ address: batchAccount.address, chainId: 8453, nonce: 1 })
    expect(ask({ delegate: batchAccount.address, fees: null }, hash)).toEqual({
      kind: 'delegation',
      digest: hash,
      chainId: '8453',
      delegate: batchAccount.address,
      mostFee: 0n,
    })
    expect(ask({}, ownDigest)).toMatchObject({ digest: ownDigest, mostFee: 243_000_000_000_000n })
  })

  test.each<[string, object]>([
    ['chain 0', { chainId: 0 }],
    ['another contract', { delegate: somebody }],
    ['another nonce', { nonce: 2 }],
    ['no fee', { fees: null }],
    ['data', { data: '0x' }],
  ])('with %s is rejected', (_name, change) => {
    expect(() => ask(change, ownDigest)).toThrow(code('invalid_data'))
  })
})
