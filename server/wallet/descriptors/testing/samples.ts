/** Descriptors of a swap contract and of its orders, and requests to both. */
import { encodeFunctionData, type Hex, parseAbi } from 'viem'

export const contract = '0x00000000000000000000000000000000000000aa'
export const recipient = '0x00000000000000000000000000000000000000C1'
export const listedToken = '0x00000000000000000000000000000000000000dc'
export const unlistedToken = '0x00000000000000000000000000000000000000ee'

export const swapSignature =
  'swap((address tokenIn,uint256 amountIn)[] inputs,address to,uint8 mode,uint256 deadline,bytes extra)'

export const swapDescriptor = {
  $schema: 'https://eips.ethereum.org/assets/eip-7730/erc7730-v1.schema.json',
  context: { contract: { deployments: [{ chainId: 1, address: contract }] } },
  metadata: { owner: 'Harbour', enums: { mode: { 0: 'Exact', 1: 'Best effort' } } },
  display: {
    definitions: { amount: { label: 'You pay', format: 'tokenAmount' } },
    formats: {
      [swapSignature]: {
        intent: 'Swap tokens',
        fields: [
          {
            path: 'inputs.[].amountIn',
            $ref: '$.display.definitions.amount',
            params: { tokenPath: 'inputs.[].tokenIn' },
          },
          { path: '#.to', label: 'Receiver', format: 'addressName' },
          { path: 'mode', label: 'Mode', format: 'enum', params: { $ref: '$.metadata.enums.mode' } },
          { path: 'deadline', label: 'Until', format: 'date', params: { encoding: 'timestamp' } },
          { path: '@.value', label: 'Paid in coins', format: 'amount' },
        ],
        required: ['to'],
        excluded: ['extra'],
      },
    },
  },
}

const abi = parseAbi([
  'struct Input { address tokenIn; uint256 amountIn; }',
  'function swap(Input[] inputs, address to, uint8 mode, uint256 deadline, bytes extra)',
])

export const swapCall = (
  inputs: readonly { tokenIn: Hex; amountIn: bigint }[] = [
    { tokenIn: listedToken, amountIn: 1_500_000n },
    { tokenIn: unlistedToken, amountIn: 7n },
  ],
): Hex =>
  encodeFunctionData({ abi, functionName: 'swap', args: [inputs, recipient, 1, 1_772_000_000n, '0xc0ffee'] })

export const orderType = 'Order(Item item,address buyer)Item(address token,uint256 amount)'

export const orderDescriptor = {
  context: { eip712: { deployments: [{ chainId: 1, address: contract }], domain: { name: 'Harbour' } } },
  metadata: { owner: 'Harbour' },
  display: {
    formats: {
      [orderType]: {
        intent: 'Sell an item',
        fields: [
          {
            path: 'item',
            fields: [
              {
                path: 'amount',
                label: 'Price',
                format: 'tokenAmount',
                params: { tokenPath: '#.item.token' },
              },
            ],
          },
        ],
      },
    },
  },
}

export const orderTypedData = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Order: [
      { name: 'item', type: 'Item' },
      { name: 'buyer', type: 'address' },
    ],
    Item: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  primaryType: 'Order',
  domain: { name: 'Harbour', chainId: 1, verifyingContract: contract },
  message: { item: { token: listedToken, amount: '2000000' }, buyer: recipient },
} as const
