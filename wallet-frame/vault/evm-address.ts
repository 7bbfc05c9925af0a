/** Addresses of the Ethereum family, written with the checksum of EIP-55. https://eips.ethereum.org/EIPS/eip-55 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'

export type EvmAddress = `0x${string}`

const ADDRESS_BYTES = 20
const UPPERCASE_FROM = 8

export function addressOf(privateKey: Uint8Array): EvmAddress {
  const point = secp256k1.getPublicKey(privateKey, false)
  return withChecksum(bytesToHex(keccak_256(point.subarray(1)).subarray(-ADDRESS_BYTES)))
}

/** Takes 40 hex digits in any case, with or without the prefix. */
export function withChecksum(address: string): EvmAddress {
  const digits = address.replace(/^0x/, '').toLowerCase()
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(digits)))
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash[index] ?? '0', 16) >= UPPERCASE_FROM ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}
