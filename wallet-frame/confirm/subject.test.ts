/** Compares the shown content with the digests of viem. */
import { LatchkeyError } from '@latchkey/protocol'
import {
  batchAccount,
  type ConfirmableRequest,
  type Delegation,
  noDelegate,
  type UserOperation,
} from '@latchkey/protocol/wallet'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hashMessage,
  hashTypedData,
  keccak256,
  serializeTransaction,
  sha256,
  stringToHex,
  type TransactionSerializable,
} from 'viem'
import { getAddress, hashAuthorization } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { userOperationBytes } from '../vault/signing/operation-bytes.ts'
import { readSubject } from './subject.ts'

const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const solana = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const named = { address: wallet, chain: null, token: null, tokens: [] }
const ether = { name: 'Ethereum', symbol: 'ETH', decimals: 18 }

const read = (request: ConfirmableRequest, more: object = {}) => readSubject(request, { ...named, ...more })
const message = (text: string): ConfirmableRequest => ({
  method: 'personal_sign',
  params: [stringToHex(text), wallet],
})

describe('a message', () => {
  test.each(['I agree.', 'سلام\n👩‍🚀', '\u202epay\u202c'])('shows the signed text %j', async (text) => {
    expect(await read(message(text))).toEqual({
      digest: hashMessage(text),
      content: { type: 'message', message: text },
    })
  })

  test.each<Hex>(['0xff', '0xc3', `0x${'ab'.repeat(32)}`, '0xeda080'])(
    'shows bytes that are not text, %s, as bytes',
    async (raw) => {
      expect(await read({ method: 'personal_sign', params: [raw, wallet] })).toEqual({
        digest: hashMessage({ raw }),
        content: { type: 'bytes', hex: raw },
      })
    },
  )

  test('identifies a Solana message by its SHA-256', async () => {
    const text = 'Grüße'
    const request: ConfirmableRequest = { method: 'signMessage', params: [text, solana] }
    expect(await read(request, { address: solana })).toEqual({
      digest: sha256(stringToHex(text)),
      content: { type: 'message', message: text },
    })
  })

  test.each([null, someone])('refuses a message of another wallet than %s', async (address) => {
    await expect(read(message('Hello'), { address })).rejects.toThrow(LatchkeyError)
  })
})

const typed = {
  types: { Order: [{ name: 'count', type: 'uint256' }] },
  primaryType: 'Order',
  domain: { name: 'Fieldnotes', chainId: 1, verifyingContract: usdc },
  message: { count: '5' },
} as const

test('shows typed data completely, with its findings', async () => {
  const { digest, content } = await read({
    method: 'eth_signTypedData_v4',
    params: [wallet, JSON.stringify(typed), `0x${'0'.repeat(64)}`],
  })
  // The digest in the request has no effect here.
  expect(digest).toBe(hashTypedData({ ...typed, message: { count: 5n } }))
  expect(content).toMatchObject({
    type: 'typed-data',
    tree: [
      { name: 'Order', value: [{ name: 'count', value: '5' }] },
      { name: 'domain', value: [{ value: 'Fieldnotes' }, { value: '1' }, { value: usdc }] },
    ],
    findings: [],
  })
})

test('refuses typed data with a wrong checksum in an address', async () => {
  const wrong = JSON.stringify(typed).replace(usdc, usdc.replace('A0b8', 'a0b8'))
  const request = { method: 'eth_signTypedData_v4', params: [wallet, wrong, `0x${'0'.repeat(64)}`] } as const
  await expect(read({ ...request, params: [...request.params] })).rejects.toThrow(LatchkeyError)
})

describe('a transaction', () => {
  const common = { chainId: 1, nonce: 7, gas: 21_000n, to: someone, value: 10n ** 17n } as const
  const market: TransactionSerializable = {
    ...common,
    type: 'eip1559',
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1n,
  }
  const legacy: TransactionSerializable = { ...common, type: 'legacy', gasPrice: 3_000_000_000n }
  const readTransaction = (transaction: TransactionSerializable, more: object = {}) => {
    const unsigned = serializeTransaction(transaction)
    const request: ConfirmableRequest = { method: 'eth_signTransaction', params: [unsigned, wallet] }
    return read(request, { chain: ether, ...more })
  }

  test.each([
    ['with a fee market', market],
    ['without one', legacy],
  ])('shows recipient, amount and maximum fee of a transaction %s', async (_name, transaction) => {
    expect(await readTransaction(transaction)).toEqual({
      digest: keccak256(serializeTransaction(transaction)),
      content: {
        type: 'transaction',
        chainId: 1n,
        chain: ether,
        to: someone,
        value: 10n ** 17n,
        mostFee: 63_000_000_000_000n,
        action: { kind: 'native-transfer' },
        isUnlisted: false,
      },
    })
  })

  test('recognises a contract creation without value', async () => {
    expect(await readTransaction({ ...market, to: null, value: 0n, data: '0x6001' })).toMatchObject({
      content: { to: null, value: 0n, action: { kind: 'contract-creation', data: '0x6001' } },
    })
  })

  const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [someone, 5_000_000n] })
  const allow = { ...market, to: usdc, value: 0n, data: approval } as const

  test('names a listed token, with its decimals', async () => {
    expect(await readTransaction(allow, { token: { symbol: 'USDC', decimals: 6 } })).toMatchObject({
      content: {
        isUnlisted: false,
        action: {
          kind: 'approval',
          spender: someone,
          amount: 5_000_000n,
          token: { symbol: 'USDC', decimals: 6 },
        },
      },
    })
  })

  test('shows the amount of an unlisted token in smallest units, without a name', async () => {
    const { content } = await readTransaction(allow)
    expect(content).toMatchObject({
      isUnlisted: true,
      action: { amount: 5_000_000n, token: { address: usdc, symbol: undefined, decimals: 0 } },
    })
  })

  test('does not interpret a token call that also sends coins', async () => {
    expect(await readTransaction({ ...allow, value: 1n })).toMatchObject({
      content: { isUnlisted: false, action: { kind: 'unknown', data: approval } },
    })
  })

  test('shows an unlisted chain by its number', async () => {
    const { content } = await readTransaction({ ...market, chainId: 999_999 }, { chain: null })
    expect(content).toMatchObject({ chain: undefined, chainId: 999_999n })
  })

  test.each([
    ['with access to other places', { ...market, accessList: [{ address: usdc, storageKeys: [] }] }],
    ['of an older type', { ...common, type: 'eip2930', gasPrice: 1n, accessList: [] }],
  ] satisfies [string, TransactionSerializable][])('refuses a transaction %s', async (_name, transaction) => {
    await expect(readTransaction(transaction)).rejects.toThrow(LatchkeyError)
  })
})

test.each([
  [{ method: 'export', params: [wallet] }, 'export'],
  [{ method: 'delete-account', params: [] }, 'delete-account'],
  [{ method: 'remove-method', params: ['totp'] }, 'remove-totp'],
] satisfies [ConfirmableRequest, string][])('shows %j in our own words', async (request, action) => {
  const text = `latchkey/wallet-proof/account-action/1\n${JSON.stringify([request.method, ...request.params])}`
  expect(await read(request)).toEqual({
    digest: sha256(stringToHex(text)),
    content: { type: 'action', action },
  })
})

describe('a Solana transaction', () => {
  /** Sends 7 lamports from the wallet, in hex. */
  const transaction = [
    '01',
    '00'.repeat(64),
    '01000103',
    bytesToHex(base58.decode(solana)),
    '07'.repeat(32),
    '00'.repeat(32),
    '09'.repeat(32),
    '010202',
    '0001',
    '0c020000000700000000000000',
  ].join('')
  const request = (hex = transaction): ConfirmableRequest => ({
    method: 'solana_signTransaction',
    params: [`0x${hex}`, solana],
  })
  const bySolana = { address: solana }

  test('is shown by its effects, with the digest of the vault', async () => {
    const tag = stringToHex('latchkey/wallet-proof/solana-transaction/1\n')
    expect(await read(request(), bySolana)).toMatchObject({
      digest: sha256(`${tag}${transaction}`),
      content: {
        type: 'solana-transaction',
        wallet: solana,
        meaning: {
          actions: [{ kind: 'transfer', from: solana, lamports: 7n }],
          payer: solana,
          mostFee: 5_000n,
        },
      },
    })
  })

  test('names the accounts of its tables as a node returned them, and only if it returned all', async () => {
    const [table, recipient] = [7, 8].map((byte) => base58.encode(new Uint8Array(32).fill(byte)))
    const lookedUp = [
      ...['01', '00'.repeat(64), '80', '01000102', bytesToHex(base58.decode(solana))],
      ...['00'.repeat(32), '09'.repeat(32)],
      ...['010102', '0002', '0c020000000700000000000000'],
      ...['01', '07'.repeat(32), '0103', '0105'],
    ].join('')
    const accounts = [
      { table, index: 3, address: recipient },
      { table, index: 5, address: solana },
    ]
    const meaningWith = async (lookups?: object) => {
      const { content } = await read(request(lookedUp), { ...bySolana, ...(lookups && { lookups }) })
      return content
    }
    expect(await meaningWith({ cluster: 'devnet', accounts })).toMatchObject({
      meaning: {
        actions: [{ kind: 'transfer', from: solana, to: recipient, lamports: 7n }],
        tables: [{ address: table, cluster: 'devnet', accounts: [recipient, solana] }],
      },
    })
    const unknown = {
      meaning: {
        actions: [{ kind: 'unknown' }],
        tables: [{ address: table, cluster: undefined, accounts: [] }],
      },
    }
    expect(await meaningWith()).toMatchObject(unknown)
    const others = [
      accounts.slice(0, 1),
      accounts.map((each) => ({ ...each, table: recipient })),
      accounts.map((each) => ({ ...each, index: each.index + 1 })),
    ]
    for (const wrong of others) {
      expect(await meaningWith({ cluster: 'devnet', accounts: wrong })).toMatchObject(unknown)
    }
  })

  test('is refused for another wallet, and with bytes that the vault would not sign', async () => {
    const other = base58.encode(new Uint8Array(32).fill(7))
    await expect(read(request(), { address: other })).rejects.toMatchObject({ code: 'invalid_data' })
    await expect(read(request(`${transaction}00`), bySolana)).rejects.toMatchObject({ code: 'invalid_data' })
  })
})

describe('an operation', () => {
  const operation: UserOperation = {
    chainId: 1,
    nonce: '0',
    calls: [
      { to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: '5', data: '0x' },
      {
        to: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        value: '0',
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [someone, 7n] }),
      },
    ],
    verificationGasLimit: 1,
    callGasLimit: 1,
    authorizationNonce: 0,
  }
  const ask = (fields: object, more: object = {}) => {
    const params: [string, string, string] = [wallet, JSON.stringify(fields), `0x${'0'.repeat(64)}`]
    return read({ method: 'eth_signUserOperation', params }, more)
  }

  test('shows each call, and that the wallet is delegated', async () => {
    const tokens = [{ address: usdc.toLowerCase(), symbol: 'USDC', decimals: 6 }]
    const { digest, content } = await ask(operation, { chain: ether, tokens })
    expect(digest).toBe(keccak256(userOperationBytes(operation, wallet)))
    const token = { address: usdc, symbol: 'USDC', decimals: 6 }
    expect(content).toEqual({
      type: 'operation',
      authorizes: true,
      calls: [
        {
          chainId: 1n,
          chain: ether,
          to: someone,
          value: 5n,
          action: { kind: 'native-transfer' },
          isUnlisted: false,
        },
        {
          chainId: 1n,
          chain: ether,
          to: usdc,
          value: 0n,
          action: { kind: 'approval', token, spender: someone, amount: 7n },
          isUnlisted: false,
        },
      ],
    })
    expect((await ask({ ...operation, authorizationNonce: null })).content).toMatchObject({
      authorizes: false,
    })
  })

  test('shows a change of the delegate with its fee', async () => {
    const removal: Delegation = { chainId: 1, delegate: noDelegate, nonce: 3, fees: null }
    const paid = {
      ...removal,
      delegate: batchAccount.address,
      fees: { gas: 5, maxFee: '7', priorityFee: '1' },
    }
    const askChange = (delegation: Delegation) => {
      const params: [string, string, string] = [wallet, JSON.stringify(delegation), `0x${'0'.repeat(64)}`]
      return read({ method: 'eth_signAuthorization', params }, { chain: ether })
    }
    expect(await askChange(removal)).toEqual({
      digest: hashAuthorization({ chainId: 1, address: noDelegate, nonce: 3 }),
      content: { type: 'delegation', chainId: 1n, chain: ether, contract: null, mostFee: 0n },
    })
    expect((await askChange(paid)).content).toMatchObject({
      contract: getAddress(batchAccount.address),
      mostFee: 35n,
    })
  })

  test.each([
    ['an unknown field', { paymasterAndData: '0x' }],
    ['chain 0', { chainId: 0 }],
  ])('refuses %s', async (_name, change) => {
    await expect(ask({ ...operation, ...change })).rejects.toThrow('The operation cannot be signed')
  })
})
