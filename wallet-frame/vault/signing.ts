/**
 * `personal_sign`: EIP-191, version 0x45. Deterministic (RFC 6979), low s. https://eips.ethereum.org/EIPS/eip-191
 *
 * A sibling file per kind of thing that is signed: each turns its request into the 32 bytes that `signDigest`
 * signs, so that the bytes and their rules are read in one place.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

const RECOVERY_OFFSET = 27

export type HexText = `0x${string}`

/**
 * What `personal_sign` is asked to sign. Wallets read a text that starts with 0x as hex; one that only looks
 * like hex is read differently by different wallets, so it is refused rather than guessed at.
 */
export function personalMessageBytes(message: string): Uint8Array {
  if (message === '' || message === '0x') {
    throw new LatchkeyError('invalid_request_arguments', 'Message must be a non-empty string')
  }
  const bytes = message.startsWith('0x') ? hexBytes(message.slice(2)) : utf8(message)
  if (bytes.length > walletLimits.maxMessageBytes) {
    throw new LatchkeyError('invalid_request_arguments', 'Message is too long to sign')
  }
  return bytes
}

function hexBytes(digits: string): Uint8Array {
  if (!/^([0-9a-fA-F]{2})+$/.test(digits)) {
    throw new LatchkeyError('invalid_request_arguments', 'A message that starts with 0x must be hex')
  }
  return hexToBytes(digits)
}

/** A lone surrogate has no UTF-8 form: encoding it would sign another text than the one that was shown. */
function utf8(message: string): Uint8Array {
  if (!message.isWellFormed()) {
    throw new LatchkeyError('invalid_request_arguments', 'Message is not well-formed text')
  }
  return new TextEncoder().encode(message)
}

export function personalMessageDigest(message: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`)
  return keccak_256(concatBytes(prefix, message))
}

/** r · s · v, where v is 27 or 28. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): HexText {
  const recovered = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  const recovery = recovered[0] ?? 0
  return `0x${bytesToHex(recovered.subarray(1))}${(RECOVERY_OFFSET + recovery).toString(16)}`
}

export const signPersonalMessage = (message: string, privateKey: Uint8Array): HexText =>
  signDigest(personalMessageDigest(personalMessageBytes(message)), privateKey)
