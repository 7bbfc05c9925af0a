/**
 * Decodes the effects of a transaction. Supports the standard token calls of ERC-20, 721, 1155 and 2612. Calldata that
 * deviates from the standard encoding is not decoded.
 */

/** Metadata as the contract reports it, unverified. */
export type Token = {
  address: string
  symbol: string | undefined
  /** Undefined for NFTs, which have token ids instead. */
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
  /** `amount` is null if it is practically unlimited. */
  | {
      kind: 'approval'
      token: Token
      /** The token owner, if the call names one. */
      owner?: string
      spender: string
      amount: bigint | null
      /** Whether the amount is added to the existing allowance. */
      isMore?: boolean
    }
  /** Revokes an approval. */
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
      /** Whether the id, read as an amount, would be practically unlimited. A contract may read it as one. */
      isUnlimited: boolean
    }
  | {
      kind: 'approval-for-all'
      token: Token
      spender: string
      isGiven: boolean
    }
  | { kind: 'contract-creation'; data: string }
  /** A call that cannot be decoded. */
  | { kind: 'unknown'; data: string }

type Kind = 'address' | 'number' | 'bool' | 'bytes'
type Calls = { [selector: string]: readonly [name: string, ...kinds: Kind[]] }

/** Function selectors: the first four bytes of the signature's hash, such as `transfer(address,uint256)`. */
const calls = {
  a9059cbb: ['transfer', 'address', 'number'],
  '23b872dd': ['transferFrom', 'address', 'address', 'number'],
  '095ea7b3': ['approve', 'address', 'number'],
  '39509351': ['increaseAllowance', 'address', 'number'],
  // Owner, spender, amount and deadline, then the signature: v (a byte), r and s.
  d505accf: ['permit', 'address', 'address', 'number', 'number', 'number', 'number', 'number'],
  a22cb465: ['setApprovalForAll', 'address', 'bool'],
  '42842e0e': ['safeTransferFrom', 'address', 'address', 'number'],
  b88d4fde: ['safeTransferFrom', 'address', 'address', 'number', 'bytes'],
  f242432a: ['safeTransferFromMany', 'address', 'address', 'number', 'number', 'bytes'],
} as const satisfies Calls

type DecodedCall = { name: (typeof calls)[keyof typeof calls][0]; words: readonly bigint[] }

const WORD_DIGITS = 64
const SELECTOR_DIGITS = 8
const ADDRESS_BITS = 160n

/**
 * Decodes calldata that exactly matches a known call. A call with a non-empty bytes argument runs code of the
 * recipient, so it is not decoded.
 */
function decodeCall(data: string): DecodedCall | undefined {
  const digits = data.slice(2).toLowerCase()
  const selector = digits.slice(0, SELECTOR_DIGITS)
  if (!Object.hasOwn(calls, selector)) return undefined
  const [name, ...kinds] = calls[selector as keyof typeof calls]
  const rest = digits.slice(SELECTOR_DIGITS)
  const withBytes = (kinds as readonly Kind[]).includes('bytes')
  // The bytes argument is last, after its length, which must be zero.
  if (rest.length !== WORD_DIGITS * (kinds.length + (withBytes ? 1 : 0))) return undefined
  const words = (rest.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
  const fits = kinds.every((kind, at) => isValidWord(kind, words[at] ?? 0n, kinds.length))
  const isEmpty = !withBytes || words.at(-1) === 0n
  return fits && isEmpty ? { name, words } : undefined
}

function isValidWord(kind: Kind, word: bigint, places: number): boolean {
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

/** Returns whether the call is a token call, so that the token's metadata is worth reading. */
export const isTokenCall = (data: string): boolean => decodeCall(data) !== undefined

/** No token has a larger supply, so a higher allowance is practically unlimited. */
const UNLIMITED_BITS = 128n
const toLimitedAmount = (amount: bigint) => (amount >> UNLIMITED_BITS === 0n ? amount : null)
/** Returns whether the amount exceeds any balance. Some tokens treat it as the whole balance; others reject it. */
export const isUnlimited = (amount: bigint): boolean => toLimitedAmount(amount) === null

const toApproval = (token: Token, spender: string, amount: bigint) =>
  amount === 0n
    ? ({ kind: 'approval-revoked', token, spender } as const)
    : ({ kind: 'approval', token, spender, amount: toLimitedAmount(amount) } as const)

/** Decodes a token call, or returns undefined. `checksummed` formats an address for display. */
export function parseTokenAction(
  token: Token,
  data: string,
  checksummed: (address: string) => string,
): Action | undefined {
  const decoded = decodeCall(data)
  if (!decoded) return undefined
  const { name, words } = decoded
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
        return {
          kind: 'nft-approval',
          token,
          spender,
          id: amount,
          isUnlimited: toLimitedAmount(amount) === null,
        }
      }
      return toApproval(token, spender, amount)
    }
    case 'increaseAllowance':
      return {
        kind: 'approval',
        token,
        spender: addressAt(0),
        amount: toLimitedAmount(numberAt(1)),
        isMore: true,
      }
    case 'permit':
      // v is a byte.
      if (numberAt(4) > 0xffn) return undefined
      return { ...toApproval(token, addressAt(1), numberAt(2)), owner: addressAt(0) }
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
