/** EIP-55 checksums of EVM addresses. https://eips.ethereum.org/EIPS/eip-55 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'

export type EvmAddress = `0x${string}`

const UPPERCASE_FROM = 8

/** Returns the checksummed address. Accepts 40 hex digits in any case, with or without the prefix. */
export function withChecksum(address: string): EvmAddress {
  const digits = address.replace(/^0x/, '').toLowerCase()
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(digits)))
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash[index] ?? '0', 16) >= UPPERCASE_FROM ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}
