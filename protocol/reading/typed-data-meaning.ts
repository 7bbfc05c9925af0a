/** What a request of typed data means for its user, as far as its form says so: found here, said by the screen. */
import type { TypedData, TypedStruct, TypedValue } from '../wallet/index.ts'

export type Finding =
  /** Lets somebody take tokens of the user, for as much as is said. */
  | {
      readonly kind: 'permit'
      readonly spender: string
      /** Undefined where a collection of single tokens is meant, or the form says none. */
      readonly token: string | undefined
      /** In the smallest units of the token, which alone knows how many make one; null: without limit. */
      readonly amount: string | null
    }
  /** Moves tokens of the user for whoever has it (EIP-3009). */
  | {
      readonly kind: 'transfer'
      readonly to: string
      readonly token: string | undefined
      /** As of a permit. */
      readonly amount: string | null
    }
  /** Nothing says who may use the signature. */
  | { readonly kind: 'no-contract' }
  | { readonly kind: 'no-chain' }

/** https://docs.uniswap.org/contracts/permit2/overview: at one address on every chain. */
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** What is as good as no limit: no token has that much. Permit2 counts in 160 bits. */
const UNLIMITED_BITS = 128n

export function findingsIn({ primaryType, domain, message }: TypedData): readonly Finding[] {
  const contract = textOf(domain.verifyingContract)
  const moves = transfersIn(primaryType, message, contract)
  const permits = permitsIn(primaryType, message, contract)
  return [...moves, ...permits, ...findingsOfDomain(domain, contract)]
}

function findingsOfDomain(domain: TypedStruct, contract: string | undefined): readonly Finding[] {
  const findings: Finding[] = []
  if (contract === undefined) findings.push({ kind: 'no-contract' })
  if (domain.chainId === undefined) findings.push({ kind: 'no-chain' })
  return findings
}

/** https://eips.ethereum.org/EIPS/eip-3009 */
function transfersIn(
  primaryType: string,
  message: TypedStruct,
  contract: string | undefined,
): readonly Finding[] {
  const to = textOf(message.to)
  const isTransfer = /^(?:Transfer|Receive)WithAuthorization$/.test(primaryType)
  if (!isTransfer || to === undefined) return []
  return [{ kind: 'transfer', to, token: contract, amount: amountOf(message.value) }]
}

/** The forms that tokens and Permit2 take, by the fields that they have. */
function permitsIn(
  primaryType: string,
  message: TypedStruct,
  contract: string | undefined,
): readonly Finding[] {
  const spender = textOf(message.spender)
  if (primaryType === 'Permit' && spender !== undefined) {
    // EIP-2612 says how much, DAI says whether at all, and EIP-4494 which single token.
    if (message.allowed === false) return []
    const amount = message.allowed === true ? null : amountOf(message.value ?? message.tokenId)
    return [{ kind: 'permit', spender, token: contract, amount }]
  }
  if (contract !== permit2 || spender === undefined) return []
  const details = listOf(message.details ?? message.permitted)
  return details.map((each) => ({
    kind: 'permit',
    spender,
    token: textOf(each.token),
    amount: amountOf(each.amount),
  }))
}

/** Null for what no balance reaches; an amount that can not be read is taken for that too. */
function amountOf(value: TypedValue | undefined): string | null {
  const text = textOf(value)
  if (text === undefined || !/^[0-9]+$/.test(text)) return null
  return BigInt(text) >> UNLIMITED_BITS === 0n ? text : null
}

const textOf = (value: TypedValue | undefined) => (typeof value === 'string' ? value : undefined)

/** One, or several, as the form of Permit2 has it. */
function listOf(value: TypedValue | undefined): readonly TypedStruct[] {
  const all = Array.isArray(value) ? value : [value]
  return all.filter((each): each is TypedStruct => typeof each === 'object' && !Array.isArray(each))
}
