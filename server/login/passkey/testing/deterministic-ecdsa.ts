/** Deterministic ECDSA on P-256 with SHA-256 (RFC 6979). */
import { createECDH, createHash, createHmac } from 'node:crypto'

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]) =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest()

/** RFC 6979, section 3.2. */
function nonceOf(privateKey: Uint8Array, hash: Uint8Array): bigint {
  const seed = Buffer.concat([privateKey, bytesOf(numberOf(hash) % order)])
  let v: Buffer = Buffer.alloc(32, 1)
  let k: Buffer = Buffer.alloc(32, 0)
  for (const step of [0, 1]) {
    k = hmac(k, v, Buffer.of(step), seed)
    v = hmac(k, v)
  }
  for (;;) {
    v = hmac(k, v)
    const nonce = numberOf(v)
    if (nonce > 0n && nonce < order) return nonce
    k = hmac(k, v, Buffer.of(0))
    v = hmac(k, v)
  }
}

export function publicPoint(privateKey: Uint8Array): { x: Buffer; y: Buffer } {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  const point = ecdh.getPublicKey()
  return { x: point.subarray(1, 33), y: point.subarray(33) }
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square, left] = [1n, base % order, exponent]
  for (; left > 0n; left >>= 1n, square = (square * square) % order) {
    if (left & 1n) result = (result * square) % order
  }
  return result
}

/** Returns a DER signature. */
export function signDeterministically(privateKey: Uint8Array, message: Uint8Array): Buffer {
  const hash = createHash('sha256').update(message).digest()
  const nonce = nonceOf(privateKey, hash)
  const r = numberOf(publicPoint(bytesOf(nonce)).x) % order
  // The order is prime, so the inverse is a power (Fermat).
  const s = (power(nonce, order - 2n) * (numberOf(hash) + r * numberOf(privateKey))) % order
  const parts = Buffer.concat([derInteger(r), derInteger(s)])
  return Buffer.concat([Buffer.of(0x30, parts.length), parts])
}

function derInteger(value: bigint): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  const signed = (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
  return Buffer.concat([Buffer.of(2, signed.length), signed])
}
