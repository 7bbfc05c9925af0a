/** EVM addresses of private keys. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type EvmAddress, withChecksum } from './checksum.ts'

const ADDRESS_BYTES = 20

export function privateKeyToAddress(privateKey: Uint8Array): EvmAddress {
  const point = secp256k1.getPublicKey(privateKey, false)
  return withChecksum(bytesToHex(keccak_256(point.subarray(1)).subarray(-ADDRESS_BYTES)))
}
