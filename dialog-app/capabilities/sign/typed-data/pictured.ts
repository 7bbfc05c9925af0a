/** Typed data for the gallery. */

import { toTypedDataTree } from '@latchkey/protocol/reading'
import type { TypedData } from '@latchkey/protocol/wallet'
import type { ShownContent } from '../to-sign.ts'

const seen = (data: TypedData): ShownContent => ({
  kind: 'typed-data',
  tree: toTypedDataTree(data),
  data,
  json: JSON.stringify(data, null, 2),
})

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const spender = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
export const usd = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

export const order = seen({
  types: {
    EIP712Domain: domainTypes,
    Item: [
      { name: 'title', type: 'string' },
      { name: 'count', type: 'uint256' },
    ],
    Order: [
      { name: 'buyer', type: 'address' },
      { name: 'items', type: 'Item[]' },
      { name: 'gift', type: 'bool' },
    ],
  },
  primaryType: 'Order',
  domain: { name: 'Fieldnotes', version: '1', chainId: '1', verifyingContract: spender },
  message: { buyer: wallet, items: [{ title: 'Binoculars', count: '1' }], gift: false },
})

export const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'

export const cowOrder = seen({
  types: {
    EIP712Domain: domainTypes,
    Order: [
      { name: 'sellToken', type: 'address' },
      { name: 'buyToken', type: 'address' },
      { name: 'receiver', type: 'address' },
      { name: 'sellAmount', type: 'uint256' },
      { name: 'buyAmount', type: 'uint256' },
      { name: 'validTo', type: 'uint32' },
      { name: 'appData', type: 'bytes32' },
      { name: 'feeAmount', type: 'uint256' },
      { name: 'kind', type: 'string' },
      { name: 'partiallyFillable', type: 'bool' },
      { name: 'sellTokenBalance', type: 'string' },
      { name: 'buyTokenBalance', type: 'string' },
    ],
  },
  primaryType: 'Order',
  domain: {
    name: 'Gnosis Protocol',
    version: 'v2',
    chainId: '1',
    verifyingContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
  },
  message: {
    sellToken: usd,
    buyToken: weth,
    receiver: wallet,
    sellAmount: '5000000',
    buyAmount: '2000000000000000',
    validTo: '1798718400',
    appData: `0x${'0'.repeat(64)}`,
    feeAmount: '0',
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  },
})

export const permit = seen({
  types: {
    EIP712Domain: domainTypes,
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain: { name: 'USD Coin', version: '2', chainId: '1', verifyingContract: usd },
  message: { owner: wallet, spender, value: String(2n ** 256n - 1n), nonce: '0', deadline: '1798761600' },
})

export const nested = seen({
  types: {
    EIP712Domain: [],
    Note: [
      { name: 'text', type: 'string' },
      { name: 'data', type: 'bytes' },
      { name: 'replies', type: 'Note[]' },
    ],
  },
  primaryType: 'Note',
  domain: {},
  message: {
    text: 'Pay 10\u202e001\u202c to bob\u200b.example',
    data: `0x${'ab'.repeat(120)}`,
    replies: [{ text: 'سلام', data: '0x', replies: [{ text: '', data: '0x00', replies: [] }] }],
  },
})
