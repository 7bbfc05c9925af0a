/**
 * ECDSA on P-256 with SHA-256, signatures as r and s side by side, as JOSE writes them (RFC 7518, 3.4).
 *
 * Node would take `{ key, dsaEncoding: 'ieee-p1363' }` and JWKs, but given an object that is no key it throws and
 * catches inside, once for each question it asks about it, which costs as much again as the signature itself. So
 * keys are passed as they are, and the two forms of a signature are turned into each other here.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { keyLimits } from '../limits.ts'

const HALF = 32
export const SIGNATURE_BYTES = 2 * HALF
const UNCOMPRESSED = 4
const SEQUENCE = 0x30
const INTEGER = 0x02

export const signEs256 = (key: KeyObject, text: string): Buffer =>
  rawFromDer(sign('sha256', Buffer.from(text), key))

export const verifyEs256 = (key: KeyObject, text: string, signature: Uint8Array): boolean =>
  signature.length === SIGNATURE_BYTES && verify('sha256', Buffer.from(text), key, derFromRaw(signature))

/** SubjectPublicKeyInfo of a P-256 key up to its uncompressed point. */
const pointHeader = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex')

/** Undefined where the point is not on the curve. */
export function publicKeyOf(x: Uint8Array, y: Uint8Array): KeyObject | undefined {
  if (x.length !== HALF || y.length !== HALF) return undefined
  const encoded = Buffer.concat([pointHeader, x, y]).toString('base64')
  try {
    return createPublicKey(`-----BEGIN PUBLIC KEY-----\n${encoded}\n-----END PUBLIC KEY-----`)
  } catch {
    return undefined
  }
}

/** Undefined where the text is no uncompressed point of the curve, written in the one canonical way. */
export function pointOf(publicKey: string): KeyObject | undefined {
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== 1 + 2 * HALF || point[0] !== UNCOMPRESSED) return undefined
  if (point.toString('base64url') !== publicKey) return undefined
  return publicKeyOf(point.subarray(1, 1 + HALF), point.subarray(1 + HALF))
}

export const isPointOfCurve = (publicKey: string): boolean => pointOf(publicKey) !== undefined

/** By thumbprint, the one that was used last at the end: a browser's key is imported once for many calls. */
const imported = new Map<string, KeyObject>()

export function importedKey(
  thumbprint: string,
  { x, y }: { readonly x: string; readonly y: string },
): KeyObject | undefined {
  const key =
    imported.get(thumbprint) ?? publicKeyOf(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'))
  if (key === undefined) return undefined
  imported.delete(thumbprint)
  imported.set(thumbprint, key)
  if (imported.size > keyLimits.importedKeys) {
    const [longestUnused = ''] = imported.keys()
    imported.delete(longestUnused)
  }
  return key
}

/** What Node made: two integers, each with its length, without needless zeros, and never negative. */
function rawFromDer(der: Buffer): Buffer {
  const raw = Buffer.alloc(SIGNATURE_BYTES)
  let at = 2
  for (const end of [HALF, SIGNATURE_BYTES]) {
    const length = der.readUInt8(at + 1)
    const integer = der.subarray(at + 2, at + 2 + length)
    const value = integer.length > HALF ? integer.subarray(integer.length - HALF) : integer
    raw.set(value, end - value.length)
    at += 2 + length
  }
  return raw
}

function derFromRaw(raw: Uint8Array): Buffer {
  const integers = [raw.subarray(0, HALF), raw.subarray(HALF)].map(derInteger)
  const body = Buffer.concat(integers)
  return Buffer.concat([Buffer.from([SEQUENCE, body.length]), body])
}

function derInteger(half: Uint8Array): Buffer {
  let start = 0
  while (start < HALF - 1 && half[start] === 0) start += 1
  const value = half.subarray(start)
  const isNegative = (value[0] ?? 0) >= 0x80
  return Buffer.concat([
    Buffer.from([INTEGER, value.length + (isNegative ? 1 : 0), ...(isNegative ? [0] : [])]),
    value,
  ])
}
