import { expect, test } from 'vitest'
import {
  type EthereumMethodRow,
  ethereumMethods,
  explainMissingMethod,
  getEthereumMethod,
} from './methods.ts'

const rows: readonly (readonly [string, EthereumMethodRow])[] = Object.entries(ethereumMethods)
const namesOf = (pick: (row: EthereumMethodRow) => boolean) =>
  rows.filter(([, row]) => pick(row)).map(([name]) => name)

test('methods for the user wait without a deadline', () => {
  const waiting = ['eth_requestAccounts', 'personal_sign', 'eth_signTypedData_v3', 'eth_signTypedData_v4']
  const sending = ['eth_signTransaction', 'eth_sendTransaction', 'wallet_sendCalls', 'wallet_showCallsStatus']
  expect(namesOf(({ policy }) => policy === 'needs-user')).toEqual([...waiting, ...sending])
  expect(namesOf(({ deadlineMs }) => deadlineMs === undefined)).toEqual([...waiting, ...sending])
})

test('the wallet answers its own methods within 20 s', () => {
  expect(namesOf(({ by, deadlineMs }) => by === 'wallet' && deadlineMs === 20_000)).toEqual([
    'eth_accounts',
    'eth_chainId',
    'net_version',
    'net_listening',
    'web3_clientVersion',
    'eth_coinbase',
    'wallet_getPermissions',
    'personal_ecRecover',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_getCapabilities',
  ])
  expect(getEthereumMethod('wallet_getCallsStatus')).toMatchObject({ by: 'wallet', deadlineMs: 40_000 })
})

test('the RPC node only receives stateless read methods, with a 40 s deadline', () => {
  const asked = namesOf(({ by }) => by === 'chain')
  expect(asked).toEqual([
    'eth_blobBaseFee',
    'eth_blockNumber',
    'eth_call',
    'eth_createAccessList',
    'eth_estimateGas',
    'eth_feeHistory',
    'eth_gasPrice',
    'eth_getBalance',
    'eth_getBlockByHash',
    'eth_getBlockByNumber',
    'eth_getBlockReceipts',
    'eth_getBlockTransactionCountByHash',
    'eth_getBlockTransactionCountByNumber',
    'eth_getCode',
    'eth_getLogs',
    'eth_getProof',
    'eth_getStorageAt',
    'eth_getTransactionByBlockHashAndIndex',
    'eth_getTransactionByBlockNumberAndIndex',
    'eth_getTransactionByHash',
    'eth_getTransactionCount',
    'eth_getTransactionReceipt',
    'eth_maxPriorityFeePerGas',
    'eth_simulateV1',
    'eth_syncing',
  ])
  expect(namesOf(({ by, deadlineMs }) => by === 'chain' && deadlineMs === 40_000)).toEqual(asked)
})

test.each(['eth_newPendingTransactionFilter', 'wallet_grantPermissions', 'eth_foo', 'toString'])(
  '%s is rejected with the message and code that libraries recognize',
  (name) => {
    expect(getEthereumMethod(name)).toBeUndefined()
    expect(explainMissingMethod(name)).toEqual({
      code: -32601,
      message: `The method "${name}" does not exist / is not available.`,
    })
  },
)

test.each([
  ['eth_sign', /signs opaque data/],
  ['eth_sendRawTransaction', /through your own node/],
  ['wallet_watchAsset', /no token list/],
])('%s is unsupported with a reason', (name, reason) => {
  expect(getEthereumMethod(name)).toBeUndefined()
  expect(explainMissingMethod(name)).toEqual({ code: 4200, message: expect.stringMatching(reason) })
})

test('the error truncates a long method name', () => {
  expect(explainMissingMethod('x'.repeat(100_000)).message.length).toBeLessThan(200)
})
