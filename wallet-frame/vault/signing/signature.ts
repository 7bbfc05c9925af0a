/** Signs 32 bytes with a secp256k1 key. Deterministic (RFC 6979), low s. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const RECOVERY_OFFSET = 27

export type HexText = `0x${string}`

/** Returns r · s · v, where v is 27 or 28. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): HexText {
  const recovered = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  const recovery = recovered[0] ?? 0
  return `0x${bytesToHex(recovered.subarray(1))}${(RECOVERY_OFFSET + recovery).toString(16)}`
}
