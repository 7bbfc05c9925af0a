/** Tests the approval surface of each kind of request. */
import { defaultAppSettings } from '@latchkey/protocol'
import { noDelegate } from '@latchkey/protocol/wallet'
import { encodeFunctionData, erc20Abi, erc721Abi, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type ApprovalSettings,
  defaultApprovalSettings,
} from '../../../kernel/app-settings/approval-settings.ts'
import { defaultSponsorSettings } from '../../../kernel/app-settings/sponsor-settings.ts'
import type { App } from '../../../kernel/ports.ts'
import type { Reading } from '../reading/reading.ts'
import { evaluate, evaluateSilent, evaluateUnseen } from './rules.ts'

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
  ...defaultSponsorSettings,
  allowedOrigins: [],
  environment: 'development',
  sessionMode: 'storage',
  maxUsers: null,
  storesEvents: false,
  login: {
    confirmRedirectLogins: false,
    newMethodHours: 72,
    newDeviceMails: true,
    testAccounts: [],
    tokenMetadataKeys: [],
  },
})
const app = appWith()

const digest = `0x${'d1'.repeat(32)}`
const message: Reading = { kind: 'message', isText: true, signInDomains: [], digest }
const bytes: Reading = { ...message, isText: false }
const typed = (change: Partial<Extract<Reading, { kind: 'typed_data' }>> = {}): Reading => ({
  kind: 'typed_data',
  digest,
  primaryType: 'Mail',
  structs: ['EIP712Domain', 'Mail'],
  chainId: '1',
  contract: somebody,
  tokens: [],
  movesCoin: false,
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
  serialized: '0x',
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
  [
    'a message',
    message,
    { type: 'within', place: 'frame', reason: 'plain_message', worth: [], budgets: ['messages'] },
  ],
  // It may be the hash of a smart account's operation, which moves any of its assets.
  ['a message of bytes', bytes, page('not_understood')],
  ['typed data', typed(), page('not_understood')],
  ['typed data of no chain', typed({ chainId: undefined }), page('not_understood')],
  ['typed data of a test network', typed({ chainId: testChain }), page('not_understood')],
  [
    'what moves money of another chain than it names',
    typed({
      chainId: testChain,
      primaryType: 'HyperliquidTransaction:Withdraw',
      contract: `0x${'0'.repeat(40)}`,
    }),
    page('not_understood'),
  ],
  ['a permit', typed({ structs: ['EIP712Domain', 'Permit'] }), page('allowance_or_permit')],
  [
    'a permit inside of something',
    typed({ structs: ['Order', 'PermitBatchTransferFrom'] }),
    page('allowance_or_permit'),
  ],
  ['anything for Permit2', typed({ contract: permit2 }), page('allowance_or_permit')],
  [
    'a permit on a test network',
    typed({ structs: ['Permit'], chainId: testChain }),
    page('allowance_or_permit'),
  ],
  [
    'coins',
    sent(),
    {
      type: 'within',
      place: 'frame',
      reason: 'within_allowance',
      worth: [{ chainId: '1', amount: 8n }],
      budgets: ['allowance'],
    },
  ],
  ['coins of a test network', sent({ chainId: testChain }), frame('test_network')],
  ['a contract creation', sent({ to: undefined, data: '0x60' }), page('not_understood')],
  ['a contract creation without code', sent({ to: undefined }), page('not_understood')],
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
  [
    'an allowance on a test network',
    { ...erc20('approve'), chainId: testChain } as Reading,
    frame('test_network'),
  ],
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
  [
    'a call whose data is the name of a JavaScript property',
    sent({ data: 'constructor' }),
    page('not_understood'),
  ],
]

test.each(cases)('%s', (_name, reading, expected) => {
  expect(evaluate(reading, app)).toEqual(expected)
})

/** The selectors of calls that grant rights to take tokens later, and of calls that move tokens now. */
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

test.each(approvals)('a call of %s grants a right to take tokens later', (_signature, selector) => {
  expect(evaluate(call(selector), app)).toEqual(page('allowance_or_permit'))
})

test.each(transfers)('a call of %s moves tokens without a price', (_signature, selector) => {
  expect(evaluate(call(selector), app)).toEqual(page('no_price'))
})

describe('a token transfer', () => {
  const transfer = erc20('transfer')
  const data = transfer.kind === 'transaction' ? transfer.data : ''

  test('counts its fee and its amount against the allowance', () => {
    expect(evaluate(sent({ data, value: 5n, mostFee: 3n, to: somebody, chainId: '10' }), app)).toEqual({
      type: 'within',
      place: 'frame',
      reason: 'within_allowance',
      worth: [
        { chainId: '10', amount: 8n },
        { chainId: '10', token: somebody, amount: 1n },
      ],
      budgets: ['allowance'],
    })
  })

  test.each([
    ['an additional digit', `${data}00`],
    ['a missing digit', data.slice(0, -2)],
    ['a digit before the address', data.replace('0xa9059cbb00', '0xa9059cbb01')],
  ])('is not recognised with %s', (_name, changed) => {
    expect(evaluate(sent({ data: changed }), app)).toEqual(page('no_price'))
    expect(evaluate(sent({ data }), app)).toMatchObject({ type: 'within' })
  })
})

describe('an operation', () => {
  const coins = { chainId: '1', to: somebody, value: 5n, data: '0x', mostFee: 0n }
  const tokens = {
    ...coins,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [somebody, 7n] }),
  }
  const approval = { ...tokens, data: tokens.data.replace('0xa9059cbb', '0x095ea7b3') }
  const operation = (...calls: Extract<Reading, { kind: 'operation' }>['calls']): Reading => ({
    kind: 'operation',
    digest,
    chainId: calls[0]?.chainId ?? '1',
    authorizes: false,
    calls,
  })

  test('counts the sum of its calls against the allowance', () => {
    expect(evaluate(operation(coins, tokens, coins), app)).toEqual({
      type: 'within',
      place: 'frame',
      reason: 'within_allowance',
      worth: [
        { chainId: '1', amount: 5n },
        { chainId: '1', amount: 0n },
        { chainId: '1', token: somebody, amount: 7n },
        { chainId: '1', amount: 5n },
      ],
      budgets: ['allowance'],
    })
  })

  test.each<[string, typeof coins, string]>([
    ['an allowance', approval, 'allowance_or_permit'],
    ['an unknown call', { ...coins, data: '0x12345678' }, 'not_understood'],
    ['a call that carries calls', { ...coins, data: '0x34fcd5be' }, 'not_understood'],
  ])('goes to the page with %s, at any position', (_name, call, reason) => {
    expect(evaluate(operation(coins, call), app)).toEqual(page(reason))
    expect(evaluate(operation(call, coins), app)).toEqual(page(reason))
  })

  test('goes to the page if two calls count against one listed limit', () => {
    const cardCalls = [{ chain: 1, contract: somebody, selector: '0x12345678', callsPerDay: 5 }]
    const listed = { ...coins, value: 0n, data: '0x12345678' }
    expect(evaluate(operation(coins, listed), appWith({ cardCalls }))).toMatchObject({
      place: 'frame',
      budgets: ['allowance', `card-call:1:${somebody}:0x12345678:times`],
    })
    expect(evaluate(operation(listed, listed), appWith({ cardCalls }))).toEqual(page('too_often'))
  })

  test('stays on the card of a test network', () => {
    const test = { ...approval, chainId: testChain }
    expect(evaluate(operation(test, test), app)).toEqual(frame('test_network'))
  })

  test('is never approved unseen or without a screen', () => {
    expect(evaluateUnseen(operation(coins), app)).toEqual(page('browser'))
    const calls = [{ chain: 1, contract: somebody, selector: '0x', usdPerDay: 5 }]
    const noPrompt = { messages: true, usdPerDay: null, calls, typedData: [] }
    expect(evaluateSilent(operation(coins), appWith({ noPrompt }), 'eth_signUserOperation')).toBeUndefined()
  })
})

describe('a change of the delegate', () => {
  const delegation = (mostFee: bigint, chainId = '1'): Reading => ({
    kind: 'delegation',
    digest,
    chainId,
    delegate: noDelegate,
    mostFee,
  })

  test('counts its fee against the allowance, and nothing if the operator pays', () => {
    const worth = [{ chainId: '1', amount: 9n }]
    const within = {
      type: 'within',
      place: 'frame',
      reason: 'within_allowance',
      budgets: ['allowance'],
    }
    expect(evaluate(delegation(9n), app)).toEqual({ ...within, worth })
    expect(evaluate(delegation(0n), app)).toEqual({ ...within, worth: [] })
    expect(evaluate(delegation(9n, testChain), app)).toEqual(frame('test_network'))
  })

  test('is never approved unseen or without a screen', () => {
    expect(evaluateUnseen(delegation(0n), app)).toEqual(page('browser'))
    const noPrompt = { messages: true, usdPerDay: null, calls: [], typedData: [] }
    expect(evaluateSilent(delegation(0n), appWith({ noPrompt }), 'eth_signAuthorization')).toBeUndefined()
  })
})

describe('requests that an operator lists for cards', () => {
  const selector = '0x12345678'
  const contract = somebody
  const word = '00'.repeat(32)
  const listed = appWith({
    cardCalls: [
      { chain: 1, contract, selector, callsPerDay: 3 },
      { chain: 1, contract, selector, usdPerDay: 50 },
    ],
    cardTypedData: [{ contract, primaryType: 'Mail' }],
  })
  const named = call(`${selector}${word}`)

  test('a call without coin counts once, and its fee against the allowance', () => {
    expect(evaluate(sent({ data: `${selector}${word}`, value: 0n }), listed)).toEqual({
      type: 'within',
      place: 'frame',
      reason: 'within_limits',
      worth: [{ chainId: '1', amount: 3n }],
      budgets: ['allowance', `card-call:1:${somebody}:${selector}:times`],
    })
  })

  test('a call with coin counts its value and fee against its own limit only', () => {
    expect(evaluate(named, listed)).toEqual({
      type: 'within',
      place: 'frame',
      reason: 'within_limits',
      worth: [{ chainId: '1', amount: 8n }],
      budgets: [`card-call:1:${somebody}:${selector}:cents`],
    })
  })

  test.each<[string, Reading]>([
    ['on another chain', sent({ data: selector, chainId: '10' })],
    ['of another contract', sent({ data: selector, to: permit2 })],
    ['by another selector', call('0x12345679')],
    ['that creates a contract', sent({ data: selector, to: undefined })],
  ])('a call %s still goes to the page', (_name, reading) => {
    expect(evaluate(reading, listed)).toEqual(page('not_understood'))
    expect(evaluate(named, listed).place).toBe('frame')
    expect(evaluate(named, app)).toEqual(page('not_understood'))
  })

  test('typed data of a listed contract and type stays on the card, and any other does not', () => {
    const mail = `card-type:${somebody}:Mail`
    const within = { type: 'within', place: 'frame', reason: 'within_limits', worth: [], budgets: [mail] }
    expect(evaluate(typed(), listed)).toEqual(within)
    expect(evaluate(typed({ chainId: undefined }), listed)).toEqual(within)
    expect(evaluate(typed({ primaryType: 'Order' }), listed)).toEqual(page('not_understood'))
    expect(evaluate(typed({ contract: '0x00000000000000000000000000000000000000ab' }), listed)).toEqual(
      page('not_understood'),
    )
    expect(evaluate(typed({ contract: undefined }), listed)).toEqual(page('not_understood'))
    expect(evaluate(typed(), app)).toEqual(page('not_understood'))
  })

  test('typed data that contains a permit goes to the page, even if it is listed', () => {
    expect(evaluate(typed({ structs: ['EIP712Domain', 'Mail', 'PermitSingle'] }), listed)).toEqual(
      page('allowance_or_permit'),
    )
  })
})

describe('in a browser that cannot detect covers', () => {
  const listed = appWith({
    cardCalls: [{ chain: 1, contract: somebody, selector: '0x', usdPerDay: 50 }],
    cardTypedData: [{ contract: somebody, primaryType: 'Mail' }],
  })

  test('the coin of a chain counts against the allowance and a limit of its own', () => {
    expect(evaluateUnseen(sent(), app)).toEqual({
      type: 'within',
      place: 'unseen',
      reason: 'within_allowance',
      worth: [{ chainId: '1', amount: 8n }],
      budgets: ['allowance', 'unseen'],
    })
    expect(evaluateUnseen(sent({ chainId: testChain }), app)).toEqual({
      type: 'settled',
      place: 'unseen',
      reason: 'test_network',
    })
  })

  test('an account action goes to the page on every surface', () => {
    for (const judged of [evaluate, evaluateUnseen]) {
      expect(judged({ kind: 'account', digest }, listed)).toEqual(page('account_action'))
    }
  })

  test('a plain message counts as in other browsers', () => {
    expect(evaluateUnseen(message, app)).toEqual({ ...Object(evaluate(message, app)), place: 'unseen' })
  })

  test.each<[string, Reading]>([
    ['tokens', erc20('transfer')],
    ['a call on a test network', sent({ data: '0x12345678', chainId: testChain })],
    ['listed typed data', typed()],
    ['coin within the limit of a list', sent()],
  ])('%s goes to the page because of the browser', (_name, reading) => {
    expect(evaluate(reading, listed).place).toBe('frame')
    expect(evaluateUnseen(reading, listed)).toEqual(page('browser'))
  })

  test('a request that always goes to the page keeps its own reason', () => {
    expect(evaluateUnseen(erc20('approve'), app)).toEqual(page('allowance_or_permit'))
  })
})

// spec W6.2
describe('without a screen', () => {
  const selector = '0x12345678'
  const noPrompt: NonNullable<ApprovalSettings['noPrompt']> = {
    messages: true,
    usdPerDay: 10,
    calls: [
      { chain: 1, contract: somebody, selector, usdPerDay: 5 },
      { chain: 1, contract: somebody, selector, callsPerDay: 5 },
      { chain: 1, contract: somebody, selector: '0x', usdPerDay: 5 },
      { chain: Number(testChain), contract: somebody, selector: '0x', usdPerDay: 5 },
    ],
    typedData: [{ contract: somebody, primaryType: 'Mail' }],
  }
  const silent = (
    reading: Reading,
    change: Partial<typeof noPrompt> = {},
    config: Partial<App['config']> = {},
    method = 'personal_sign',
  ) => {
    const app = appWith({ noPrompt: { ...noPrompt, ...change } })
    return evaluateSilent(reading, { ...app, config: { ...app.config, ...config } }, method)
  }
  const within = (budgets: readonly string[], worth: readonly object[] = []) => ({
    type: 'within',
    place: 'silent',
    reason: 'within_limits',
    worth,
    budgets,
  })
  const ofCall = (unit: string, of = selector, chain = '1') => [
    'silent-calls',
    `silent-call:${chain}:${somebody}:${of}:${unit}`,
  ]
  const worth = (amount: bigint) => [{ chainId: '1', amount }]

  test('nothing is signed without limits, or if they do not include messages', () => {
    expect(evaluateSilent(message, app, 'personal_sign')).toBeUndefined()
    expect(silent(message, { messages: false })).toBeUndefined()
    expect(silent(message)).toEqual(within(['messages', 'silent-messages']))
    expect(silent(message, {}, {}, 'signMessage')).toBeUndefined()
    expect(silent({ kind: 'account', digest: '0x' })).toBeUndefined()
    expect(silent(bytes)).toBeUndefined()
  })

  // spec L3.24
  test('nothing is signed if the app shows every request', () => {
    for (const reading of [message, typed(), sent(), sent({ chainId: testChain })]) {
      expect(silent(reading, {}, { enforceWalletUis: false })).toBeDefined()
      expect(silent(reading, {}, { enforceWalletUis: true })).toBeUndefined()
    }
  })

  // spec L3.24
  test('the legacy setting of an app changes nothing', () => {
    const legacyWalletUiConfig = true
    for (const reading of [message, typed(), sent(), sent({ chainId: testChain })]) {
      expect(silent(reading, {}, { legacyWalletUiConfig })).toEqual(silent(reading))
      expect(silent(reading, {}, { legacyWalletUiConfig, enforceWalletUis: true })).toBeUndefined()
    }
  })

  test.each<[string, Reading, unknown]>([
    ['typed data of a listed contract and type', typed(), within([`silent-type:${somebody}:Mail`])],
    ['typed data of another type', typed({ primaryType: 'Order' }), undefined],
    ['typed data for another contract', typed({ contract: permit2 }), undefined],
    ['typed data without a contract', typed({ contract: undefined }), undefined],
    ['a permit for a listed contract', typed({ structs: ['Mail', 'Permit'] }), undefined],
    ['coin to a listed contract', sent(), within(ofCall('cents', '0x'), worth(8n))],
    ['coin to another address', sent({ to: permit2 }), undefined],
    ['no coin, with a dollar limit', sent({ value: 0n }), undefined],
    ['a contract creation', sent({ to: undefined }), undefined],
    ['a listed call with coin', call(selector), within(ofCall('cents'), worth(8n))],
    ['a listed call without coin', sent({ data: selector, value: 0n }), within(ofCall('times'), worth(3n))],
    ['another call of a listed contract', call('0x12345679'), undefined],
    ['a listed call on another chain', sent({ data: selector, chainId: '10' }), undefined],
    ['tokens of a listed contract', erc20('transfer'), undefined],
    [
      'anything that is listed, on a test network',
      sent({ chainId: testChain }),
      within(ofCall('cents', '0x', testChain)),
    ],
    ['other calls on a test network', sent({ chainId: testChain, data: selector }), undefined],
  ])('%s', (_name, reading, expected) => {
    expect(silent(reading)).toEqual(expected)
  })

  test.each([
    ['transferAndCall(address,uint256,bytes)', '0x4000aea0'],
    ['approveAndCall(address,uint256,bytes)', '0xcae9ca51'],
    ['increaseApproval(address,uint256)', '0xd73dd623'],
    ['send(address,uint256,bytes)', '0x9bd9bbc6'],
    ['authorizeOperator(address)', '0x959b8c3f'],
    ['multicall(bytes[])', '0xac9650d8'],
    [
      'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
      '0xe3ee160e',
    ],
    ...approvals,
    ...transfers,
  ] as const)('a call of %s, which nobody named, is shown', (signature, notNamed) => {
    expect(toFunctionSelector(signature)).toBe(notNamed)
    expect(silent(call(notNamed))).toBeUndefined()
    expect(silent(sent({ data: notNamed, value: 0n }))).toBeUndefined()
    expect(silent(call(selector))).toBeDefined()
  })

  test('a listed contract matches in any letter case', () => {
    const contract = '0x000000000000000000000000000000000000AbCd'
    const listed = contract.toLowerCase()
    const calls = [{ chain: 1, contract: listed, selector: '0x', usdPerDay: 5 }]
    const typedData = [{ contract: listed, primaryType: 'Mail' }]
    expect(silent(typed({ contract }), { typedData })).toBeDefined()
    expect(silent(sent({ to: contract }), { calls })).toBeDefined()
    const other = `${listed.slice(0, -1)}e`
    expect(silent(sent({ to: other }), { calls })).toBeUndefined()
  })
})
