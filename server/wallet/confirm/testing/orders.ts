/** An order of CoW Protocol, as its app requests wallets to sign it. */
import type { TypedDataDefinition } from 'viem'

const fields =
  'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance'

export const cowOrder = (
  owner: string,
  { chainId = 1, ...change }: { chainId?: number; sellToken: string },
): Pick<TypedDataDefinition, 'types' | 'primaryType' | 'domain' | 'message'> => ({
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Order: fields.split(',').map((field) => {
      const [type = '', name = ''] = field.split(' ')
      return { name, type }
    }),
  },
  primaryType: 'Order',
  domain: {
    name: 'Gnosis Protocol',
    version: 'v2',
    chainId,
    verifyingContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
  },
  message: {
    // Buys the native coin of the network.
    buyToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    receiver: owner,
    sellAmount: 5_000_000n,
    buyAmount: 2_000_000_000_000_000n,
    validTo: 1_798_718_400,
    appData: `0x${'00'.repeat(32)}`,
    feeAmount: 0n,
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
    ...change,
  },
})
