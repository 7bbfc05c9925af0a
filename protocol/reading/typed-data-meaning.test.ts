import { describe, expect, test } from 'vitest'
import type { TypedData, TypedStruct } from '../capabilities/sign/typed-data.ts'
import { analyzeTypedData } from './typed-data-meaning.ts'
import { toTypedDataTree } from './typed-data-tree.ts'

const spender = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const of = (primaryType: string, message: TypedStruct, domain: TypedStruct = {}): TypedData => ({
  types: {},
  primaryType,
  domain: { chainId: '1', verifyingContract: token, ...domain },
  message,
})
const permitsIn = (data: TypedData) => analyzeTypedData(data).filter(({ kind }) => kind === 'permit')
const max256 = '115792089237316195423570985008687907853269984665640564039457584007913129639935'
const max160 = '1461501637330902918203684832716283019655932542975'

describe('a transfer with authorization (EIP-3009) is detected', () => {
  const message = { from: token, to: spender, value: '5', validAfter: '0', validBefore: '9', nonce: '0x00' }
  test.each(['TransferWithAuthorization', 'ReceiveWithAuthorization'])('%s', (primaryType) => {
    expect(analyzeTypedData(of(primaryType, message))).toEqual([
      { kind: 'transfer', to: spender, token, amount: '5' },
    ])
    expect(analyzeTypedData(of(primaryType, { ...message, value: max256 }))).toEqual([
      { kind: 'transfer', to: spender, token, amount: null },
    ])
  })

  test('is not detected in other data with a recipient', () => {
    expect(analyzeTypedData(of('CancelAuthorization', message))).toEqual([])
    expect(analyzeTypedData(of('Mail', message))).toEqual([])
  })
})

describe('a permit is detected', () => {
  test.each<[string, TypedData, unknown]>([
    ['of a token', of('Permit', { owner: spender, spender, value: '5', nonce: '0', deadline: '9' }), '5'],
    ['of a token, without limit', of('Permit', { spender, value: max256 }), null],
    ['of DAI', of('Permit', { holder: spender, spender, nonce: '0', expiry: '0', allowed: true }), null],
    [
      'of Permit2',
      of(
        'PermitSingle',
        { details: { token, amount: max160, expiration: '0' }, spender },
        { verifyingContract: permit2 },
      ),
      null,
    ],
    [
      'of Permit2 for one transfer',
      of(
        'PermitTransferFrom',
        { permitted: { token, amount: '7' }, spender },
        { verifyingContract: permit2 },
      ),
      '7',
    ],
    [
      'of Permit2 with a witness',
      of(
        'PermitWitnessTransferFrom',
        { permitted: { token, amount: '7' }, spender, witness: {} },
        { verifyingContract: permit2 },
      ),
      '7',
    ],
  ])('%s', (_name, data, amount) => {
    expect(permitsIn(data)).toEqual([{ kind: 'permit', spender, token, amount }])
  })

  test('for each of several tokens', () => {
    const details = [
      { token, amount: '1' },
      { token: spender, amount: max160 },
    ]
    const data = of('PermitBatch', { details, spender }, { verifyingContract: permit2 })
    expect(permitsIn(data)).toEqual([
      { kind: 'permit', spender, token, amount: '1' },
      { kind: 'permit', spender, token: spender, amount: null },
    ])
  })

  describe('and is a revocation only with the exact types', () => {
    const [ofAmount, whether] = [
      'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
      'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed',
    ].map((form) =>
      form.split(',').map((field) => {
        const [type = '', name = ''] = field.split(' ')
        return { name, type }
      }),
    )
    const formed = (fields: typeof ofAmount, message: TypedStruct): TypedData => ({
      ...of('Permit', message),
      types: { Permit: fields ?? [] },
    })
    test.each<[string, TypedData, readonly object[]]>([
      [
        'of a token',
        formed(ofAmount, { owner: spender, spender, value: '0', nonce: '0', deadline: '9' }),
        [{ kind: 'permit-revoked', spender, token }],
      ],
      [
        'of DAI',
        formed(whether, { holder: spender, spender, nonce: '0', expiry: '0', allowed: false }),
        [{ kind: 'permit-revoked', spender, token }],
      ],
      [
        'not with a field more',
        formed([...(ofAmount ?? []), { name: 'all', type: 'bool' }], { spender, value: '0', all: true }),
        [{ kind: 'permit', spender, token, amount: '0' }],
      ],
      [
        'not of no form',
        of('Permit', { spender, allowed: false }),
        [{ kind: 'permit', spender, token, amount: null }],
      ],
    ])('%s', (_name, data, findings) => {
      expect(analyzeTypedData(data)).toEqual(findings)
    })
  })

  test('shows the token owner if it is not the signer', () => {
    const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const ofOther = of('Permit', { owner, spender, value: '5' })
    expect(analyzeTypedData(ofOther, spender)).toMatchObject([{ kind: 'permit', owner }])
    expect(analyzeTypedData(ofOther, owner.toLowerCase())).toMatchObject([
      { kind: 'permit', owner: undefined },
    ])
    const moved = of('TransferWithAuthorization', { from: owner, to: spender, value: '5' })
    expect(analyzeTypedData(moved, spender)).toMatchObject([{ kind: 'transfer', owner }])
    expect(analyzeTypedData(moved, owner)).toMatchObject([{ kind: 'transfer', owner: undefined }])
  })

  test("expires by Permit2's expiration, not by a token permit's deadline", () => {
    const at = { verifyingContract: permit2 }
    const details = { token, amount: '1', expiration: '1798718400', nonce: '0' }
    expect(permitsIn(of('PermitSingle', { details, spender, sigDeadline: '9' }, at))).toMatchObject([
      { untilSeconds: '1798718400' },
    ])
    const once = { permitted: { token, amount: '7' }, spender, deadline: '1798718400' }
    expect(permitsIn(of('PermitTransferFrom', once, at))).toMatchObject([{ untilSeconds: '1798718400' }])
    const [ofToken] = permitsIn(of('Permit', { spender, value: '5', deadline: '1798718400' }))
    expect(ofToken).not.toHaveProperty('untilSeconds')
  })
})

describe('the domain of typed data', () => {
  const kinds = (domain: TypedStruct) =>
    analyzeTypedData({ types: {}, primaryType: 'Mail', domain, message: {} }).map(({ kind }) => kind)
  test('is reported without a contract or a chain id', () => {
    expect(kinds({})).toEqual(['no-contract', 'no-chain'])
    expect(kinds({ chainId: '1' })).toEqual(['no-contract'])
  })
  // Nearly every request names an unknown contract, which the tree shows.
  test('is not reported with a contract', () => {
    expect(kinds({ chainId: '1', verifyingContract: spender })).toEqual([])
    expect(kinds({ chainId: '1', verifyingContract: permit2 })).toEqual([])
  })
})

test('the tree contains all values of message and domain in type order', () => {
  const data: TypedData = {
    types: {
      EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
      Inner: [{ name: 'flags', type: 'bool[]' }],
      Main: [
        { name: 'b', type: 'string' },
        { name: 'a', type: 'Inner[]' },
      ],
    },
    primaryType: 'Main',
    domain: { chainId: '1' },
    message: { a: [{ flags: [true, false] }], b: '' },
  }
  expect(toTypedDataTree(data)).toEqual([
    {
      name: 'Main',
      type: 'Main',
      value: [
        { name: 'b', type: 'string', value: '' },
        {
          name: 'a',
          type: 'Inner[]',
          value: [
            {
              name: '0',
              type: 'Inner',
              value: [
                {
                  name: 'flags',
                  type: 'bool[]',
                  value: [
                    { name: '0', type: 'bool', value: 'true' },
                    { name: '1', type: 'bool', value: 'false' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    { name: 'domain', type: 'EIP712Domain', value: [{ name: 'chainId', type: 'uint256', value: '1' }] },
  ])
})
