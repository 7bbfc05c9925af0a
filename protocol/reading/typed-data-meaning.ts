/** What a request of typed data means for its user, as far as its form says so: found here, said by the screen. */

import type { TypedData, TypedStruct, TypedValue } from '../capabilities/sign/typed-data.ts'
import { isSameAddress } from '../entities/wallets/wallet-address.ts'
import { type Order, parseOrders, toLimitedAmount } from './orders.ts'

/** `owner`: whose tokens they are, where they are not those of the wallet that signs. */
export type Finding =
  /** Lets somebody take tokens of the user, for as much as is said. */
  | {
      kind: 'permit'
      spender: string
      /** Undefined where a collection of single tokens is meant, or the form says none. */
      token: string | undefined
      /** In the smallest units of the token, which alone knows how many make one; null: without limit. */
      amount: string | null
      /** When it ends, as far as the form says so: a token's own permit lasts until it is used up or taken back. */
      untilSeconds?: string | undefined
      owner?: string | undefined
    }
  /** What was allowed before is no longer. */
  | {
      kind: 'permit-revoked'
      spender: string
      token: string | undefined
      owner?: string | undefined
    }
  /** Moves tokens of the user for whoever has it (EIP-3009). */
  | {
      kind: 'transfer'
      to: string
      token: string | undefined
      /** The amount is that of a permit. */
      amount: string | null
      owner?: string | undefined
    }
  | Order
  /** Nothing says who may use the signature. */
  | { kind: 'no-contract' }
  | { kind: 'no-chain' }

/** https://docs.uniswap.org/contracts/permit2/overview: at one address on every chain. */
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** `wallet`: the one that signs. */
export function analyzeTypedData(data: TypedData, wallet?: string): readonly Finding[] {
  const orders = parseOrders(data, wallet)
  if (orders) return orders
  const { primaryType, domain, message } = data
  const contract = textOf(domain.verifyingContract)
  const moves = transfersIn(primaryType, message, { contract, wallet })
  const permits = permitsIn(data, { contract, wallet })
  return [...moves, ...permits, ...findingsOfDomain(domain, contract)]
}

/** Whose contracts a list is asked about, each once. */
export const listTokens = (findings: readonly Finding[]): readonly string[] => [
  ...new Set(findings.flatMap(tokensOf)),
]

/** Or lets it be moved: so that it has to be named. */
export const movesCoin = (findings: readonly Finding[]): boolean =>
  findings.some(
    (finding) =>
      finding.kind === 'order' && [...finding.gives, ...finding.gets].some(({ what }) => what === 'coin'),
  )

function tokensOf(finding: Finding): readonly string[] {
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

function findingsOfDomain(domain: TypedStruct, contract: string | undefined): readonly Finding[] {
  const findings: Finding[] = []
  if (contract === undefined) findings.push({ kind: 'no-contract' })
  if (domain.chainId === undefined) findings.push({ kind: 'no-chain' })
  return findings
}

type Context = { contract: string | undefined; wallet: string | undefined }

/** Undefined where it is the wallet that signs, or where nobody says which that is. */
function otherOwner(named: TypedValue | undefined, { wallet }: Context): string | undefined {
  const owner = textOf(named)
  return owner === undefined || wallet === undefined || isSameAddress(owner, wallet) ? undefined : owner
}

/** https://eips.ethereum.org/EIPS/eip-3009 */
function transfersIn(primaryType: string, message: TypedStruct, context: Context): readonly Finding[] {
  const to = textOf(message.to)
  const isTransfer = /^(?:Transfer|Receive)WithAuthorization$/.test(primaryType)
  if (!isTransfer || to === undefined) return []
  const owner = otherOwner(message.from, context)
  return [{ kind: 'transfer', to, token: context.contract, amount: amountOf(message.value), owner }]
}

/** The forms that tokens and Permit2 take, by the fields that they have. */
function permitsIn(data: TypedData, context: Context): readonly Finding[] {
  const { primaryType, message } = data
  const { contract } = context
  const spender = textOf(message.spender)
  if (primaryType === 'Permit' && spender !== undefined) {
    // EIP-2612 says how much, DAI says whether at all, and EIP-4494 which single token.
    const owner = otherOwner(message.owner ?? message.holder, context)
    const amount = message.allowed === true ? null : amountOf(message.value ?? message.tokenId)
    if (isRevocation(data)) return [{ kind: 'permit-revoked', spender, token: contract, owner }]
    return [{ kind: 'permit', spender, token: contract, amount, owner }]
  }
  if (contract !== permit2 || spender === undefined) return []
  const details = listOf(message.details ?? message.permitted)
  return details.map((each) => ({
    kind: 'permit',
    spender,
    token: textOf(each.token),
    amount: amountOf(each.amount),
    // An allowance ends by itself; what is moved once has to be moved by then.
    untilSeconds: endOf(each.expiration) ?? endOf(message.deadline),
  }))
}

/** Nought is the block that it is used in, whenever that is. */
const endOf = (value: TypedValue | undefined) => (value === '0' ? undefined : textOf(value))

/** https://eips.ethereum.org/EIPS/eip-2612, and DAI: https://etherscan.io/token/0x6b175474e89094c44da98b954eedeac495271d0f#code */
const permitForms = {
  amount: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
  whether: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed',
}

/** Nothing is warned of where it is said that it takes back: so it has to be such a permit to the letter. */
function isRevocation({ types, message }: TypedData): boolean {
  const form = (types.Permit ?? []).map(({ name, type }) => `${type} ${name}`).join(',')
  if (form === permitForms.amount) return message.value === '0'
  return form === permitForms.whether && message.allowed === false
}

/** An amount that can not be read is taken for what no balance reaches. */
function amountOf(value: TypedValue | undefined): string | null {
  const text = textOf(value)
  if (text === undefined || !/^[0-9]+$/.test(text)) return null
  return toLimitedAmount(BigInt(text))
}

const textOf = (value: TypedValue | undefined) => (typeof value === 'string' ? value : undefined)

/** One, or several, as the form of Permit2 has it. */
function listOf(value: TypedValue | undefined): readonly TypedStruct[] {
  const all = Array.isArray(value) ? value : [value]
  return all.filter((each): each is TypedStruct => typeof each === 'object' && !Array.isArray(each))
}
