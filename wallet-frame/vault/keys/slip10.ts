/**
 * Derives Ed25519 keys from a seed by SLIP-10, with hardened steps only.
 * https://github.com/satoshilabs/slips/blob/master/slip-0010.md
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { type SecretBytes, wipe } from './secret-bytes.ts'

const HARDENED = 0x8000_0000
const CURVE = new TextEncoder().encode('ed25519 seed')
const KEY_BYTES = 32

export type Slip10Node = { key: SecretBytes; chainCode: SecretBytes }

/**
 * Derives a node. `path` has the indices without their hardening mark: [44, 501, 0, 0] is m/44'/501'/0'/0'.
 */
export function slip10(seed: Uint8Array, path: readonly number[]): Slip10Node {
  let node = split(hmac(sha512, CURVE, seed))
  for (const index of path) {
    const parent = node
    node = deriveChild(parent, index)
    wipe(parent.key, parent.chainCode)
  }
  return node
}

function deriveChild(parent: Slip10Node, index: number): Slip10Node {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED)
    throw new RangeError('Not a derivation index')
  const data = new Uint8Array(1 + KEY_BYTES + 4)
  try {
    data.set(parent.key, 1)
    new DataView(data.buffer).setUint32(1 + KEY_BYTES, HARDENED + index)
    return split(hmac(sha512, parent.chainCode, data))
  } finally {
    wipe(data)
  }
}

function split(digest: Uint8Array): Slip10Node {
  const node = {
    key: new Uint8Array(digest.subarray(0, KEY_BYTES)),
    chainCode: new Uint8Array(digest.subarray(KEY_BYTES)),
  }
  wipe(digest)
  return node
}
