/**
 * Decodes market orders in typed data: assets, recipients and expiry. An order must match its market's exact types and
 * published contract address. Otherwise it is displayed as generic typed data.
 */

import {
  domainType,
  type TypedData,
  type TypedStruct,
  type TypedValue,
} from '../capabilities/sign/typed-data.ts'
import { isSameAddress } from '../entities/wallets/wallet-address.ts'

export type OrderItem =
  /** The native coin, in its smallest unit. */
  | { what: 'coin'; amount: string }
  /** `amount` is null if it exceeds any balance. */
  | { what: 'tokens'; token: string; amount: string | null }
  /** `id` is null for any item of the collection. */
  | { what: 'nft'; token: string; id: string | null; count: string }

export type Market = 'Seaport' | 'CoW Protocol' | '0x'

export type Order = {
  kind: 'order'
  market: Market
  /** In a purchase the given amount is a maximum. In a sale the received amount is a minimum. */
  side: 'sell' | 'buy'
  /** The maker, if it is not the signing wallet. */
  maker: string | undefined
  gives: readonly OrderItem[]
  /** `to`: the recipient, if it is not the signing wallet. */
  gets: readonly (OrderItem & { to: string | undefined })[]
  untilSeconds: string
}

/** No token has a larger supply. Permit2 uses 160 bits. */
const UNLIMITED_BITS = 128n
/** Returns the amount, or null if it exceeds any balance. */
export const toLimitedAmount = (amount: bigint): string | null =>
  amount >> UNLIMITED_BITS === 0n ? String(amount) : null

type Form = Readonly<Record<string, readonly string[]>>

const domainForm = ['string name', 'string version', 'uint256 chainId', 'address verifyingContract']

/** https://github.com/ProjectOpenSea/seaport-js/blob/main/src/constants.ts */
const seaportForm: Form = {
  [domainType]: domainForm,
  OrderComponents: [
    'address offerer',
    'address zone',
    'OfferItem[] offer',
    'ConsiderationItem[] consideration',
    'uint8 orderType',
    'uint256 startTime',
    'uint256 endTime',
    'bytes32 zoneHash',
    'uint256 salt',
    'bytes32 conduitKey',
    'uint256 counter',
  ],
  OfferItem: [
    'uint8 itemType',
    'address token',
    'uint256 identifierOrCriteria',
    'uint256 startAmount',
    'uint256 endAmount',
  ],
  ConsiderationItem: [
    'uint8 itemType',
    'address token',
    'uint256 identifierOrCriteria',
    'uint256 startAmount',
    'uint256 endAmount',
    'address recipient',
  ],
}

/** Seaport's contracts by version, the same on every chain: https://github.com/ProjectOpenSea/seaport#deployments */
const seaportContracts: Readonly<Record<string, string>> = {
  '1.4': '0x00000000000001ad428e4906aE43D8F9852d0dD6',
  '1.5': '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
  '1.6': '0x0000000000000068F116a894984e2DB1123eB395',
}

/** A binary tree of orders. OpenSea's contract supports up to 24 levels. */
const bulkTree = /^OrderComponents(?:\[2\]){1,24} tree$/

/** https://github.com/cowprotocol/contracts/blob/main/src/contracts/libraries/GPv2Order.sol */
const cowForm: Form = {
  [domainType]: domainForm,
  Order: [
    'address sellToken',
    'address buyToken',
    'address receiver',
    'uint256 sellAmount',
    'uint256 buyAmount',
    'uint32 validTo',
    'bytes32 appData',
    'uint256 feeAmount',
    'string kind',
    'bool partiallyFillable',
    'string sellTokenBalance',
    'string buyTokenBalance',
  ],
}

/**
 * CoW's settlement contract, the same on every chain: https://github.com/cowprotocol/contracts/blob/main/networks.json
 */
const cowSettlement = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
/** Marks the native coin as the bought asset: `GPv2Transfer.BUY_ETH_ADDRESS`. */
const cowCoin = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** https://github.com/0xProject/protocol/blob/development/packages/protocol-utils/src/orders.ts */
const zeroExForms = {
  LimitOrder: [
    'address makerToken',
    'address takerToken',
    'uint128 makerAmount',
    'uint128 takerAmount',
    'uint128 takerTokenFeeAmount',
    'address maker',
    'address taker',
    'address sender',
    'address feeRecipient',
    'bytes32 pool',
    'uint64 expiry',
    'uint256 salt',
  ],
  RfqOrder: [
    'address makerToken',
    'address takerToken',
    'uint128 makerAmount',
    'uint128 takerAmount',
    'address maker',
    'address taker',
    'address txOrigin',
    'bytes32 pool',
    'uint64 expiry',
    'uint256 salt',
  ],
  OtcOrder: [
    'address makerToken',
    'address takerToken',
    'uint128 makerAmount',
    'uint128 takerAmount',
    'address maker',
    'address taker',
    'address txOrigin',
    'uint256 expiryAndNonce',
  ],
} as const satisfies Form

/** https://github.com/0xProject/protocol/blob/development/packages/contract-addresses/addresses.json */
const zeroExProxy = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF'
/** The chains that have the 0x proxy at another address. */
const zeroExProxies: Readonly<Record<string, string>> = {
  '10': '0xDEF1ABE32c034e558Cdd535791643C58a13aCC10',
  '250': '0xdef189deaef76e379df891899eb5a00a94cbc250',
}

const zeroAddress = `0x${'0'.repeat(40)}`

/** Returns the orders in the typed data, or undefined. `wallet` is the signing wallet. */
export function parseOrders(data: TypedData, wallet: string | undefined): readonly Order[] | undefined {
  return parseSeaportOrders(data, wallet) ?? parseCowOrders(data, wallet) ?? parseZeroExOrders(data, wallet)
}

const isWallet = (address: string, wallet: string | undefined) =>
  wallet !== undefined && isSameAddress(address, wallet)
const omitWallet = (address: string, wallet: string | undefined) =>
  isWallet(address, wallet) ? undefined : address

/** Returns whether the types are exactly these structs with these fields in order. */
function matchesForm({ types }: TypedData, form: Form): boolean {
  const names = Object.keys(types)
  return (
    names.length === Object.keys(form).length &&
    names.every((name) => {
      const fields = types[name] ?? []
      const expected = Object.hasOwn(form, name) ? form[name] : undefined
      return (
        expected?.length === fields.length &&
        fields.every(({ name: field, type }, at) => expected[at] === `${type} ${field}`)
      )
    })
  )
}

function matchesDomain(
  { domain }: TypedData,
  { name, version, contract }: { name: string; version: string; contract: string },
): boolean {
  return domain.name === name && domain.version === version && isAddress(domain.verifyingContract, contract)
}

const isAddress = (value: TypedValue | undefined, address: string) =>
  typeof value === 'string' && isSameAddress(value, address)

function parseSeaportOrders(data: TypedData, wallet: string | undefined): readonly Order[] | undefined {
  const { primaryType, types, domain, message } = data
  const version = typeof domain.version === 'string' ? domain.version : ''
  const contract = Object.hasOwn(seaportContracts, version) ? seaportContracts[version] : undefined
  if (contract === undefined || !matchesDomain(data, { name: 'Seaport', version, contract })) return undefined
  if (primaryType === 'OrderComponents' && matchesForm(data, seaportForm)) {
    return allOrNone([parseSeaportOrder(message, wallet)])
  }
  const [field, ...more] = types.BulkOrder ?? []
  const tree = field && `${field.type} ${field.name}`
  if (primaryType !== 'BulkOrder' || tree === undefined || more.length > 0 || !bulkTree.test(tree)) {
    return undefined
  }
  if (!matchesForm(data, { ...seaportForm, BulkOrder: [tree] })) return undefined
  const orders = collectLeaves(message.tree).filter((leaf) => !isEmptyOrder(leaf))
  return orders.length === 0 ? undefined : allOrNone(orders.map((leaf) => parseSeaportOrder(leaf, wallet)))
}

/** Returns undefined if any order is unknown. */
const allOrNone = (orders: readonly (Order | undefined)[]): readonly Order[] | undefined => {
  const parsedOrders = orders.filter((order) => order !== undefined)
  return parsedOrders.length === orders.length ? parsedOrders : undefined
}

const collectLeaves = (tree: TypedValue | undefined): readonly TypedStruct[] => {
  if (Array.isArray(tree)) return (tree as readonly TypedValue[]).flatMap(collectLeaves)
  return typeof tree === 'object' ? [tree as TypedStruct] : []
}

/** Returns whether the order is padding of the tree. */
const isEmptyOrder = ({ offerer, offer, consideration }: TypedStruct) =>
  offerer === zeroAddress && getStructs(offer).length === 0 && getStructs(consideration).length === 0

const getStructs = (value: TypedValue | undefined): readonly TypedStruct[] =>
  Array.isArray(value) ? (value as readonly TypedStruct[]) : []
const getText = (struct: TypedStruct, field: string): string => {
  const value = struct[field]
  return typeof value === 'string' ? value : ''
}

/** `ItemType` and `OrderType`: https://github.com/ProjectOpenSea/seaport-types/blob/main/src/lib/ConsiderationEnums.sol */
const itemTypes = ['coin', 'tokens', 'nft', 'nft', 'any-nft', 'any-nft'] as const
/** Order types of users: full or partial, open or restricted by a zone. Contract orders are decided at execution. */
const userOrderTypes = new Set(['0', '1', '2', '3'])

function parseSeaportOrder(order: TypedStruct, wallet: string | undefined): Order | undefined {
  const offerer = getText(order, 'offerer')
  const offered = getStructs(order.offer).map((item) => parseSeaportItem(item, maximum))
  const received = getStructs(order.consideration).map((item) => {
    const read = parseSeaportItem(item, minimum)
    return read && { ...read, to: omitWallet(getText(item, 'recipient'), wallet) }
  })
  const gives = offered.filter((item) => item !== undefined).map(withLimitedAmount)
  const gets = received.filter((item) => item !== undefined)
  const isRead = gives.length === offered.length && gets.length === received.length
  if (!isRead || gives.length === 0 || !userOrderTypes.has(getText(order, 'orderType'))) return undefined
  const isPurchase = gives.every(({ what }) => what !== 'nft') && gets.some(({ what }) => what === 'nft')
  return {
    kind: 'order',
    market: 'Seaport',
    side: isPurchase ? 'buy' : 'sell',
    maker: omitWallet(offerer, wallet),
    gives,
    gets,
    untilSeconds: getText(order, 'endTime'),
  }
}

const withLimitedAmount = (item: OrderItem): OrderItem =>
  item.what === 'tokens' && item.amount !== null
    ? { ...item, amount: toLimitedAmount(BigInt(item.amount)) }
    : item

const maximum = (one: bigint, other: bigint) => (one > other ? one : other)
const minimum = (one: bigint, other: bigint) => (one < other ? one : other)

/** Decodes an item. Its amount may change over time: the maximum counts for offers, the minimum for the rest. */
function parseSeaportItem(item: TypedStruct, which: typeof maximum): OrderItem | undefined {
  const kind = itemTypes[Number(getText(item, 'itemType'))]
  const [token, id] = [getText(item, 'token'), getText(item, 'identifierOrCriteria')]
  const amount = String(which(BigInt(getText(item, 'startAmount')), BigInt(getText(item, 'endAmount'))))
  switch (kind) {
    case 'coin':
      return token === zeroAddress && id === '0' ? { what: 'coin', amount } : undefined
    case 'tokens':
      return id === '0' ? { what: 'tokens', token, amount } : undefined
    case 'nft':
      return { what: 'nft', token, id, count: amount }
    // From a list of ids (a Merkle root, which cannot be read), or from the whole collection.
    case 'any-nft':
      return { what: 'nft', token, id: null, count: amount }
    case undefined:
      return undefined
    default:
      return kind satisfies never
  }
}

function parseCowOrders(data: TypedData, wallet: string | undefined): readonly Order[] | undefined {
  const { primaryType, message } = data
  if (primaryType !== 'Order' || !matchesForm(data, cowForm)) return undefined
  if (!matchesDomain(data, { name: 'Gnosis Protocol', version: 'v2', contract: cowSettlement }))
    return undefined
  const { kind, sellTokenBalance, buyTokenBalance } = message
  if (kind !== 'sell' && kind !== 'buy') return undefined
  // Balancer vault balances differ from those of the wallet.
  if (sellTokenBalance !== 'erc20' || buyTokenBalance !== 'erc20') return undefined
  const [receiver, buyToken] = [getText(message, 'receiver'), getText(message, 'buyToken')]
  const sold = BigInt(getText(message, 'sellAmount')) + BigInt(getText(message, 'feeAmount'))
  const amount = getText(message, 'buyAmount')
  const bought: OrderItem = isSameAddress(buyToken, cowCoin)
    ? { what: 'coin', amount }
    : { what: 'tokens', token: buyToken, amount }
  return [
    {
      kind: 'order',
      market: 'CoW Protocol',
      side: kind,
      maker: undefined,
      gives: [
        withLimitedAmount({ what: 'tokens', token: getText(message, 'sellToken'), amount: String(sold) }),
      ],
      // The zero address means the signer.
      gets: [{ ...bought, to: receiver === zeroAddress ? undefined : omitWallet(receiver, wallet) }],
      untilSeconds: getText(message, 'validTo'),
    },
  ]
}

function parseZeroExOrders(data: TypedData, wallet: string | undefined): readonly Order[] | undefined {
  const { primaryType, domain, message } = data
  if (!isZeroEx(primaryType)) return undefined
  if (!matchesForm(data, { [domainType]: domainForm, [primaryType]: zeroExForms[primaryType] }))
    return undefined
  const chain = String(domain.chainId)
  const contract = (Object.hasOwn(zeroExProxies, chain) ? zeroExProxies[chain] : undefined) ?? zeroExProxy
  if (!matchesDomain(data, { name: 'ZeroEx', version: '1.0.0', contract })) return undefined
  const [maker, taker] = [getText(message, 'maker'), getText(message, 'taker')]
  const side = (who: 'maker' | 'taker'): OrderItem => ({
    what: 'tokens',
    token: getText(message, `${who}Token`),
    amount: getText(message, `${who}Amount`),
  })
  // Both sides sign an OTC order.
  const isTaker = primaryType === 'OtcOrder' && isWallet(taker, wallet) && !isWallet(maker, wallet)
  const owner = isTaker ? undefined : omitWallet(maker, wallet)
  return [
    {
      kind: 'order',
      market: '0x',
      side: 'sell',
      maker: owner,
      gives: [withLimitedAmount(side(isTaker ? 'taker' : 'maker'))],
      gets: [{ ...side(isTaker ? 'maker' : 'taker'), to: owner }],
      untilSeconds:
        primaryType === 'OtcOrder'
          ? String(BigInt(getText(message, 'expiryAndNonce')) >> EXPIRY_AT_BIT)
          : getText(message, 'expiry'),
    },
  ]
}

/** The expiry precedes a 64-bit bucket and a 128-bit nonce. */
const EXPIRY_AT_BIT = 192n
const isZeroEx = (primaryType: string): primaryType is keyof typeof zeroExForms =>
  Object.hasOwn(zeroExForms, primaryType)
