/** Finds known effects in typed data: permits, transfers and orders. */

import type { TypedData, TypedStruct, TypedValue } from '../capabilities/sign/typed-data.ts'
import { isSameAddress } from '../entities/wallets/wallet-address.ts'
import { type Order, parseOrders, toLimitedAmount } from './orders.ts'

/** `owner`: the token owner, if it is not the signing wallet. */
export type Finding =
  /** Allows a spender to take tokens of the user, up to the amount. */
  | {
      kind: 'permit'
      spender: string
      /** Undefined for an NFT collection, or if the typed data names none. */
      token: string | undefined
      /** In the token's smallest unit. Null: unlimited. */
      amount: string | null
      /** The expiry, if the typed data has one. A token's own permit lasts until it is used or revoked. */
      untilSeconds?: string | undefined
      owner?: string | undefined
    }
  /** Revokes a permit. */
  | {
      kind: 'permit-revoked'
      spender: string
      token: string | undefined
      owner?: string | undefined
    }
  /** Transfers tokens of the user, executable by any holder of the signature (EIP-3009). */
  | {
      kind: 'transfer'
      to: string
      token: string | undefined
      /** Like the amount of a permit. */
      amount: string | null
      owner?: string | undefined
    }
  | Order
  /** The domain names no contract, so any contract may accept the signature. */
  | { kind: 'no-contract' }
  | { kind: 'no-chain' }

/** Permit2, at the same address on every chain: https://docs.uniswap.org/contracts/permit2/overview */
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** Returns the known effects of typed data and its missing domain fields. `wallet` is the signing wallet. */
export function analyzeTypedData(data: TypedData, wallet?: string): readonly Finding[] {
  const orders = parseOrders(data, wallet)
  if (orders) return orders
  const { primaryType, domain, message } = data
  const contract = toText(domain.verifyingContract)
  const moves = findTransfers(primaryType, message, { contract, wallet })
  const permits = findPermits(data, { contract, wallet })
  return [...moves, ...permits, ...findDomainIssues(domain, contract)]
}

/** Returns the distinct token contracts to look up. */
export const listTokens = (findings: readonly Finding[]): readonly string[] => [
  ...new Set(findings.flatMap(getTokens)),
]

/** Returns whether an order moves the native coin. The caller must look up the coin's name. */
export const movesCoin = (findings: readonly Finding[]): boolean =>
  findings.some(
    (finding) =>
      finding.kind === 'order' && [...finding.gives, ...finding.gets].some(({ what }) => what === 'coin'),
  )

function getTokens(finding: Finding): readonly string[] {
  switch (finding.kind) {
    case 'permit':
    case 'permit-revoked':
    case 'transfer':
      return finding.token === undefined ? [] : [finding.token]
    case 'order':
      return [...finding.gives, ...finding.gets].flatMap((item) =>
        item.what === 'tokens' ? [item.token] : [],
      )
    case 'no-contract':
    case 'no-chain':
      return []
    default:
      return finding satisfies never
  }
}

function findDomainIssues(domain: TypedStruct, contract: string | undefined): readonly Finding[] {
  const findings: Finding[] = []
  if (contract === undefined) findings.push({ kind: 'no-contract' })
  if (domain.chainId === undefined) findings.push({ kind: 'no-chain' })
  return findings
}

type Context = { contract: string | undefined; wallet: string | undefined }

/** Returns the owner if it differs from the signing wallet. Undefined if the wallet is unknown. */
function findOtherOwner(named: TypedValue | undefined, { wallet }: Context): string | undefined {
  const owner = toText(named)
  return owner === undefined || wallet === undefined || isSameAddress(owner, wallet) ? undefined : owner
}

/** https://eips.ethereum.org/EIPS/eip-3009 */
function findTransfers(primaryType: string, message: TypedStruct, context: Context): readonly Finding[] {
  const to = toText(message.to)
  const isTransfer = /^(?:Transfer|Receive)WithAuthorization$/.test(primaryType)
  if (!isTransfer || to === undefined) return []
  const owner = findOtherOwner(message.from, context)
  return [{ kind: 'transfer', to, token: context.contract, amount: parseAmount(message.value), owner }]
}

/** Returns the permits of tokens and of Permit2, detected by their fields. */
function findPermits(data: TypedData, context: Context): readonly Finding[] {
  const { primaryType, message } = data
  const { contract } = context
  const spender = toText(message.spender)
  if (primaryType === 'Permit' && spender !== undefined) {
    // EIP-2612 has an amount, DAI a flag, and EIP-4494 a token id.
    const owner = findOtherOwner(message.owner ?? message.holder, context)
    const amount = message.allowed === true ? null : parseAmount(message.value ?? message.tokenId)
    if (isRevocation(data)) return [{ kind: 'permit-revoked', spender, token: contract, owner }]
    return [{ kind: 'permit', spender, token: contract, amount, owner }]
  }
  if (contract !== permit2 || spender === undefined) return []
  const details = toStructs(message.details ?? message.permitted)
  return details.map((each) => ({
    kind: 'permit',
    spender,
    token: toText(each.token),
    amount: parseAmount(each.amount),
    // An allowance has its own expiry. A single transfer must happen before the deadline.
    untilSeconds: parseExpiry(each.expiration) ?? parseExpiry(message.deadline),
  }))
}

/** Returns the expiry. Zero means the block in which the permit is used. */
const parseExpiry = (value: TypedValue | undefined) => (value === '0' ? undefined : toText(value))

/** EIP-2612, and DAI: https://etherscan.io/token/0x6b175474e89094c44da98b954eedeac495271d0f#code */
const permitTypes = {
  amount: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
  whether: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed',
}

/**
 * Returns whether this is exactly a revocation. Revocations show no warning, so the types must match a known permit
 * exactly.
 */
function isRevocation({ types, message }: TypedData): boolean {
  const form = (types.Permit ?? []).map(({ name, type }) => `${type} ${name}`).join(',')
  if (form === permitTypes.amount) return message.value === '0'
  return form === permitTypes.whether && message.allowed === false
}

/** Returns the amount, or null (unlimited) if it is not a number. */
function parseAmount(value: TypedValue | undefined): string | null {
  const text = toText(value)
  if (text === undefined || !/^[0-9]+$/.test(text)) return null
  return toLimitedAmount(BigInt(text))
}

const toText = (value: TypedValue | undefined) => (typeof value === 'string' ? value : undefined)

/** Returns one struct or several, because Permit2 has both forms. */
function toStructs(value: TypedValue | undefined): readonly TypedStruct[] {
  const all = Array.isArray(value) ? value : [value]
  return all.filter((each): each is TypedStruct => typeof each === 'object' && !Array.isArray(each))
}
