/** Orders as markets request them from wallets. */
import { parseTypedData, type TypedData } from '../../capabilities/sign/typed-data.ts'

export const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const otherAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const zeroAddress = '0x0000000000000000000000000000000000000000'
export const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const birds = '0x06012c8cf97BEaD5deAe237070F9587f8E7A266d'
const zeros = `0x${'0'.repeat(64)}`
/** 31 December 2026, 12:00 UTC. */
const until = '1798718400'

const domain = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
const fields = (written: string) =>
  written.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

export type TypedDataRequest = {
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>
  primaryType: string
  domain: Readonly<Record<string, unknown>>
  message: Readonly<Record<string, unknown>>
}
export const read = (request: TypedDataRequest): TypedData => parseTypedData(JSON.stringify(request))

export const cow = (change: Readonly<Record<string, unknown>> = {}): TypedDataRequest => ({
  types: {
    EIP712Domain: domain,
    Order: fields(
      'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance',
    ),
  },
  primaryType: 'Order',
  domain: {
    name: 'Gnosis Protocol',
    version: 'v2',
    chainId: '1',
    verifyingContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
  },
  message: {
    sellToken: usdc,
    buyToken: weth,
    receiver: wallet,
    sellAmount: '5000000',
    buyAmount: '2000000000000000',
    validTo: until,
    appData: zeros,
    feeAmount: '0',
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
    ...change,
  },
})

const zeroEx = (
  primaryType: string,
  written: string,
  message: TypedDataRequest['message'],
): TypedDataRequest => ({
  types: { EIP712Domain: domain, [primaryType]: fields(written) },
  primaryType,
  domain: {
    name: 'ZeroEx',
    version: '1.0.0',
    chainId: '1',
    verifyingContract: '0xDef1C0ded9bec7F1a1670819833240f027b25EfF',
  },
  message: {
    makerToken: usdc,
    takerToken: weth,
    makerAmount: '5000000',
    takerAmount: '2000000000000000',
    maker: wallet,
    taker: zeroAddress,
    ...message,
  },
})
export const limitOrder = (change: TypedDataRequest['message'] = {}) =>
  zeroEx(
    'LimitOrder',
    'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt',
    {
      takerTokenFeeAmount: '0',
      sender: zeroAddress,
      feeRecipient: zeroAddress,
      pool: zeros,
      expiry: until,
      salt: '1',
      ...change,
    },
  )
export const rfqOrder = (change: TypedDataRequest['message'] = {}) =>
  zeroEx(
    'RfqOrder',
    'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt',
    { txOrigin: otherAccount, pool: zeros, expiry: until, salt: '1', ...change },
  )
export const otcOrder = (change: TypedDataRequest['message'] = {}) =>
  zeroEx(
    'OtcOrder',
    'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,uint256 expiryAndNonce',
    { txOrigin: otherAccount, expiryAndNonce: String((BigInt(until) << 192n) + 77n), ...change },
  )

const seaportTypes = {
  EIP712Domain: domain,
  OrderComponents: fields(
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  ),
  OfferItem: fields(
    'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount',
  ),
  ConsiderationItem: fields(
    'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient',
  ),
}
const seaportDomain = {
  name: 'Seaport',
  version: '1.6',
  chainId: '1',
  verifyingContract: '0x0000000000000068F116a894984e2DB1123eB395',
}

export const item = (
  itemType: number,
  token: string,
  id: string,
  startAmount: string,
  endAmount = startAmount,
) => ({ itemType, token, identifierOrCriteria: id, startAmount, endAmount })
export const to = (recipient: string, asked: ReturnType<typeof item>) => ({ ...asked, recipient })
const bird = item(2, birds, '777', '1')

export const components = (change: Readonly<Record<string, unknown>> = {}) => ({
  offerer: wallet,
  zone: zeroAddress,
  offer: [bird],
  consideration: [to(wallet, item(0, zeroAddress, '0', '975000000000000000'))],
  orderType: 0,
  startTime: '1790000000',
  endTime: until,
  zoneHash: zeros,
  salt: '1',
  conduitKey: zeros,
  counter: '0',
  ...change,
})
export const seaport = (change: Readonly<Record<string, unknown>> = {}): TypedDataRequest => ({
  types: seaportTypes,
  primaryType: 'OrderComponents',
  domain: seaportDomain,
  message: components(change),
})
export const emptyLeaf = components({
  offerer: zeroAddress,
  offer: [],
  consideration: [],
  startTime: '0',
  endTime: '0',
  salt: '0',
})
export const bulk = (tree: unknown, type = 'OrderComponents[2][2]'): TypedDataRequest => ({
  types: { ...seaportTypes, BulkOrder: [{ name: 'tree', type }] },
  primaryType: 'BulkOrder',
  domain: seaportDomain,
  message: { tree },
})
