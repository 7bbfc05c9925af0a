/** Where what is asked for may be approved, by what it is. */
import { defaultAppSettings } from '@latchkey/protocol'
import { encodeFunctionData, erc20Abi, erc721Abi, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { type ApprovalSettings, defaultApprovalSettings } from '../apps/approval-settings.ts'
import type { App } from '../ports.ts'
import type { Reading } from './reading.ts'
import { judge, judgeSilent } from './rules.ts'

const somebody = '0x00000000000000000000000000000000000000aa'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const testChain = '11155111'

const appWith = (approvals: Partial<ApprovalSettings> = {}): App => ({
  id: 'a'.repeat(25),
  name: 'Fieldnotes',
  config: {
    ...defaultAppSettings,
    id: 'a'.repeat(25),
    name: 'Fieldnotes',
    verificationKey: '',
    createdAt: 1,
    updatedAt: 1,
    testNetworks: [Number(testChain)],
  },
  approvals: { ...defaultApprovalSettings, ...approvals },
  allowedOrigins: [],
  environment: 'development',
  sessionMode: 'storage',
  maxUsers: null,
  login: { confirmRedirectLogins: false },
})
const app = appWith()

const digest = `0x${'d1'.repeat(32)}`
const message: Reading = { kind: 'message', isText: true, digest }
const bytes: Reading = { ...message, isText: false }
const typed = (change: Partial<Extract<Reading, { kind: 'typed_data' }>> = {}): Reading => ({
  kind: 'typed_data',
  digest,
  structs: ['EIP712Domain', 'Mail'],
  chainId: '1',
  contract: somebody,
  ...change,
})
const sent = (change: Partial<Extract<Reading, { kind: 'transaction' }>> = {}): Reading => ({
  kind: 'transaction',
  digest,
  chainId: '1',
  to: somebody,
  value: 5n,
  data: '0x',
  mostFee: 3n,
  ...change,
})

const frame = (reason: string) => ({ type: 'settled', place: 'frame', reason })
const page = (reason: string) => ({ type: 'settled', place: 'page', reason })
const call = (data: Hex) => sent({ data })
const erc20 = (functionName: 'approve' | 'transfer') =>
  call(encodeFunctionData({ abi: erc20Abi, functionName, args: [somebody, 1n] }))

const abi = parseAbi([
  'function increaseAllowance(address spender, uint256 added)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
])
const word = `0x${'00'.repeat(32)}` as const

const cases: readonly (readonly [string, Reading, unknown])[] = [
  ['a message', message, frame('plain_message')],
  // It may be the hash of an operation of a smart account, which moves whatever that holds.
  ['a message of bytes', bytes, page('not_understood')],
  ['typed data', typed(), page('not_understood')],
  ['typed data of no chain', typed({ chainId: undefined }), page('not_understood')],
  ['typed data of a test network', typed({ chainId: testChain }), frame('test_network')],
  ['a permit', typed({ structs: ['EIP712Domain', 'Permit'] }), page('allowance_or_permit')],
  [
    'a permit inside of something',
    typed({ structs: ['Order', 'PermitBatchTransferFrom'] }),
    page('allowance_or_permit'),
  ],
  ['anything for Permit2', typed({ contract: permit2 }), page('allowance_or_permit')],
  ['a permit on a test network', typed({ structs: ['Permit'], chainId: testChain }), frame('test_network')],
  ['coins', sent(), { type: 'priced', chainId: '1', amount: 8n }],
  ['coins of a test network', sent({ chainId: testChain }), frame('test_network')],
  ['a contract that is made', sent({ to: undefined, data: '0x60' }), page('not_understood')],
  ['a contract that is made of nothing', sent({ to: undefined }), page('not_understood')],
  ['an allowance', erc20('approve'), page('allowance_or_permit')],
  [
    'more of an allowance',
    call(encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [somebody, 1n] })),
    page('allowance_or_permit'),
  ],
  [
    'a permit that is handed in',
    call(
      encodeFunctionData({
        abi,
        functionName: 'permit',
        args: [somebody, somebody, 1n, 1n, 27, word, word],
      }),
    ),
    page('allowance_or_permit'),
  ],
  [
    'an allowance for all',
    call(encodeFunctionData({ abi: erc721Abi, functionName: 'setApprovalForAll', args: [somebody, true] })),
    page('allowance_or_permit'),
  ],
  ['tokens', erc20('transfer'), page('no_price')],
  [
    'an NFT',
    call(
      encodeFunctionData({
        abi: erc721Abi,
        functionName: 'safeTransferFrom',
        args: [somebody, somebody, 1n],
      }),
    ),
    page('no_price'),
  ],
  [
    'several of ERC-1155',
    call(
      encodeFunctionData({
        abi,
        functionName: 'safeTransferFrom',
        args: [somebody, somebody, 1n, 1n, '0x'],
      }),
    ),
    page('no_price'),
  ],
  ['any other call', call('0x12345678'), page('not_understood')],
  ['data of a byte', call('0x00'), page('not_understood')],
  ['a call by a name of JavaScript', sent({ data: 'constructor' }), page('not_understood')],
]

test.each(cases)('%s', (_name, reading, expected) => {
  expect(judge(reading, app)).toEqual(expected)
})

/** The first four bytes of a call: of what lets somebody take later, and of what moves a token now. */
const approvals: readonly (readonly [string, Hex])[] = [
  ['approve(address,uint256)', '0x095ea7b3'],
  ['increaseAllowance(address,uint256)', '0x39509351'],
  ['setApprovalForAll(address,bool)', '0xa22cb465'],
  ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', '0xd505accf'],
  ['permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', '0x8fcbaf0c'],
  ['approve(address,address,uint160,uint48)', '0x87517c45'],
  ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', '0x2b67b570'],
  ['permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)', '0x2a2d80d1'],
]
const transfers: readonly (readonly [string, Hex])[] = [
  ['transfer(address,uint256)', '0xa9059cbb'],
  ['transferFrom(address,address,uint256)', '0x23b872dd'],
  ['safeTransferFrom(address,address,uint256)', '0x42842e0e'],
  ['safeTransferFrom(address,address,uint256,bytes)', '0xb88d4fde'],
  ['safeTransferFrom(address,address,uint256,uint256,bytes)', '0xf242432a'],
  ['safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', '0x2eb2c2d6'],
]

test.each([...approvals, ...transfers])('%s begins with %s', (signature, selector) => {
  expect(toFunctionSelector(signature)).toBe(selector)
})

test.each(approvals)('a call of %s lets somebody take later', (_signature, selector) => {
  expect(judge(call(selector), app)).toEqual(page('allowance_or_permit'))
})

test.each(transfers)('a call of %s moves what has no price', (_signature, selector) => {
  expect(judge(call(selector), app)).toEqual(page('no_price'))
})

// spec W6.2
describe('without a screen', () => {
  const methods = ['personal_sign', 'eth_signTypedData_v4', 'eth_signTransaction'] as const
  const noPrompt: NonNullable<ApprovalSettings['noPrompt']> = {
    methods: [...methods],
    contracts: [somebody],
    usdPerDay: 10,
  }
  const silent = (
    reading: Reading,
    change: Partial<typeof noPrompt> = {},
    config: Partial<App['config']> = {},
  ) => {
    const app = appWith({ noPrompt: { ...noPrompt, ...change } })
    const at = { ...app, config: { ...app.config, ...config } }
    const method = {
      message: methods[0],
      account: methods[0],
      typed_data: methods[1],
      transaction: methods[2],
    }[reading.kind]
    return judgeSilent(at.approvals, method, reading, at)
  }
  const within = { type: 'settled', place: 'silent', reason: 'within_limits' }

  test('nothing is where no limits are, or the method is not among them', () => {
    expect(judgeSilent(app.approvals, 'personal_sign', message, app)).toBeUndefined()
    expect(silent(message, { methods: [] })).toBeUndefined()
    expect(silent(message)).toEqual(within)
    expect(silent({ kind: 'account', digest: '0x' })).toBeUndefined()
    expect(silent(bytes)).toBeUndefined()
  })

  // spec L3.24
  test('nothing is where the app has every request shown', () => {
    for (const reading of [message, typed(), sent(), sent({ chainId: testChain })]) {
      expect(silent(reading, {}, { enforceWalletUis: false })).toBeDefined()
      expect(silent(reading, {}, { enforceWalletUis: true })).toBeUndefined()
    }
  })

  // spec L3.24
  test('the same is with the legacy setting of an app as without it', () => {
    const legacyWalletUiConfig = true
    for (const reading of [message, typed(), sent(), sent({ chainId: testChain })]) {
      expect(silent(reading, {}, { legacyWalletUiConfig })).toEqual(silent(reading))
      expect(silent(reading, {}, { legacyWalletUiConfig, enforceWalletUis: true })).toBeUndefined()
    }
  })

  test.each<[string, Reading, unknown]>([
    ['typed data for a listed contract', typed(), within],
    ['typed data for another one', typed({ contract: permit2 }), undefined],
    ['typed data for nobody', typed({ contract: undefined }), undefined],
    ['a permit for a listed contract', typed({ structs: ['Permit'] }), undefined],
    ['coins to a listed contract', sent(), { type: 'priced', chainId: '1', amount: 8n }],
    ['coins to somebody else', sent({ to: permit2 }), undefined],
    ['a contract that is made', sent({ to: undefined }), undefined],
    ['a call of a listed contract', call('0x12345678'), { type: 'priced', chainId: '1', amount: 8n }],
    ['an allowance at a listed contract', erc20('approve'), undefined],
    ['an allowance on a test network', { ...erc20('approve'), chainId: testChain } as Reading, undefined],
    ['tokens of a listed contract, whose worth can not be counted', erc20('transfer'), undefined],
    ['anything else on a test network', sent({ chainId: testChain }), within],
  ])('%s', (_name, reading, expected) => {
    expect(silent(reading)).toEqual(expected)
  })

  test.each([...approvals, ...transfers])(
    'a call of %s at a listed contract is not',
    (_signature, selector) => {
      expect(silent(call(selector))).toBeUndefined()
      expect(silent(call('0x12345678'))).toBeDefined()
    },
  )

  test('a contract is the listed one however its letters are written', () => {
    const contract = '0x000000000000000000000000000000000000AbCd'
    const contracts = [contract.toLowerCase()]
    expect(silent(typed({ contract }), { contracts })).toEqual(within)
    expect(silent(sent({ to: contract }), { contracts })).toMatchObject({ type: 'priced' })
    expect(silent(sent({ to: contract }), { contracts: [`${contract.toLowerCase().slice(0, -1)}e`] })).toBe(
      undefined,
    )
  })

  test('tokens are where there is no limit that they could be counted against', () => {
    expect(silent(erc20('transfer'), { usdPerDay: null })).toMatchObject({ type: 'priced' })
    expect(silent(erc20('approve'), { usdPerDay: null })).toBeUndefined()
  })
})
