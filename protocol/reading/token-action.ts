/**
 * What a transaction does, in a form that can be said in words. Of a call it is read what tokens are asked to do by their
 * standards: ERC-20, 721, 1155 and 2612. What is written otherwise than the standard writes it is not understood.
 */

/** As the contract describes itself, which nobody vouches for; undefined what it does not say. */
export type Token = {
  address: string
  symbol: string | undefined
  /** A token that says none counts single things: each has a number of its own. */
  decimals: number | undefined
}

export type Action =
  | { kind: 'native-transfer' }
  | { kind: 'token-transfer'; token: Token; to: string; amount: bigint }
  | {
      kind: 'token-transfer-from'
      token: Token
      from: string
      to: string
      amount: bigint
    }
  | {
      kind: 'nft-transfer'
      token: Token
      from: string
      to: string
      id: bigint
      count: bigint
    }
  /** `amount` null: as good as no limit. */
  | {
      kind: 'approval'
      token: Token
      /** Whose the tokens are, where the call names somebody. */
      owner?: string
      spender: string
      amount: bigint | null
      /** It counts on top of what is allowed already. */
      isMore?: boolean
    }
  /** What was allowed before is no longer. */
  | {
      kind: 'approval-revoked'
      token: Token
      owner?: string
      spender: string
    }
  | {
      kind: 'nft-approval'
      token: Token
      spender: string
      id: bigint
      /** As an amount it would be as good as no limit, and a contract may read it as one. */
      isUnlimited: boolean
    }
  | {
      kind: 'approval-for-all'
      token: Token
      spender: string
      isGiven: boolean
    }
  | { kind: 'contract-creation'; data: string }
  /** It can not be said what it does. */
  | { kind: 'unknown'; data: string }

type Kind = 'address' | 'number' | 'bool' | 'bytes'
type Calls = { [selector: string]: readonly [name: string, ...kinds: Kind[]] }

/** The first four bytes of the hash of each, as `transfer(address,uint256)`. */
const calls = {
  a9059cbb: ['transfer', 'address', 'number'],
  '23b872dd': ['transferFrom', 'address', 'address', 'number'],
  '095ea7b3': ['approve', 'address', 'number'],
  '39509351': ['increaseAllowance', 'address', 'number'],
  // Owner, spender, amount and deadline; then a signature: v, which is a byte, r and s.
  d505accf: ['permit', 'address', 'address', 'number', 'number', 'number', 'number', 'number'],
  a22cb465: ['setApprovalForAll', 'address', 'bool'],
  '42842e0e': ['safeTransferFrom', 'address', 'address', 'number'],
  b88d4fde: ['safeTransferFrom', 'address', 'address', 'number', 'bytes'],
  f242432a: ['safeTransferFromMany', 'address', 'address', 'number', 'number', 'bytes'],
} as const satisfies Calls

type Called = { name: (typeof calls)[keyof typeof calls][0]; words: readonly bigint[] }

const WORD_DIGITS = 64
const SELECTOR_DIGITS = 8
const ADDRESS_BITS = 160n

/** Undefined for what is no such call, to the letter: who gets bytes along is called with them, and may do anything. */
function readCall(data: string): Called | undefined {
  const digits = data.slice(2).toLowerCase()
  const selector = digits.slice(0, SELECTOR_DIGITS)
  if (!Object.hasOwn(calls, selector)) return undefined
  const [name, ...kinds] = calls[selector as keyof typeof calls]
  const rest = digits.slice(SELECTOR_DIGITS)
  const withBytes = (kinds as readonly Kind[]).includes('bytes')
  // The bytes lie behind, under their length, which is zero.
  if (rest.length !== WORD_DIGITS * (kinds.length + (withBytes ? 1 : 0))) return undefined
  const words = (rest.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
  const fits = kinds.every((kind, at) => fitsKind(kind, words[at] ?? 0n, kinds.length))
  const isEmpty = !withBytes || words.at(-1) === 0n
  return fits && isEmpty ? { name, words } : undefined
}

function fitsKind(kind: Kind, word: bigint, places: number): boolean {
  switch (kind) {
    case 'address':
      return word >> ADDRESS_BITS === 0n
    case 'bool':
      return word <= 1n
    case 'bytes':
      return word === BigInt(places) * 32n
    case 'number':
      return true
    default:
      return kind satisfies never
  }
}

/** Whether it is worth asking a contract which token it is. */
export const isTokenCall = (data: string): boolean => readCall(data) !== undefined

/** No token has so much; an allowance above it is one without limit. */
const UNLIMITED_BITS = 128n
const limitOf = (amount: bigint) => (amount >> UNLIMITED_BITS === 0n ? amount : null)
/** Nobody has as much: some tokens take it for all that there is, and others refuse it. */
export const isUnlimited = (amount: bigint): boolean => limitOf(amount) === null

const allowance = (token: Token, spender: string, amount: bigint) =>
  amount === 0n
    ? ({ kind: 'approval-revoked', token, spender } as const)
    : ({ kind: 'approval', token, spender, amount: limitOf(amount) } as const)

/** Undefined where there are no words for all of it. `checksummed` writes an address as it is shown. */
export function parseTokenAction(
  token: Token,
  data: string,
  checksummed: (address: string) => string,
): Action | undefined {
  const called = readCall(data)
  if (!called) return undefined
  const { name, words } = called
  const numberAt = (place: number) => words[place] ?? 0n
  const addressAt = (place: number) => checksummed(`0x${numberAt(place).toString(16).padStart(40, '0')}`)
  const isNft = token.decimals === undefined
  const nftTransfer = (count: bigint): Action => {
    const [from, to] = [addressAt(0), addressAt(1)]
    return { kind: 'nft-transfer', token, from, to, id: numberAt(2), count }
  }
  switch (name) {
    case 'transfer':
      return { kind: 'token-transfer', token, to: addressAt(0), amount: numberAt(1) }
    case 'transferFrom': {
      const [from, to, amount] = [addressAt(0), addressAt(1), numberAt(2)]
      if (isNft) return { kind: 'nft-transfer', token, from, to, id: amount, count: 1n }
      return { kind: 'token-transfer-from', token, from, to, amount }
    }
    case 'approve': {
      const [spender, amount] = [addressAt(0), numberAt(1)]
      if (isNft) {
        return { kind: 'nft-approval', token, spender, id: amount, isUnlimited: limitOf(amount) === null }
      }
      return allowance(token, spender, amount)
    }
    case 'increaseAllowance':
      return { kind: 'approval', token, spender: addressAt(0), amount: limitOf(numberAt(1)), isMore: true }
    case 'permit':
      // v is a byte.
      if (numberAt(4) > 0xffn) return undefined
      return { ...allowance(token, addressAt(1), numberAt(2)), owner: addressAt(0) }
    case 'setApprovalForAll':
      return { kind: 'approval-for-all', token, spender: addressAt(0), isGiven: numberAt(1) === 1n }
    case 'safeTransferFrom':
      return nftTransfer(1n)
    case 'safeTransferFromMany':
      return nftTransfer(numberAt(3))
    default:
      return name satisfies never
  }
}
