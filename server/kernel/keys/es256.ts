/** ECDSA on P-256 with SHA-256. Signatures are r and s concatenated, as in JOSE (RFC 7518, 3.4). */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { keyLimits } from '../limits.ts'

const HALF = 32
export const SIGNATURE_BYTES = 2 * HALF
const UNCOMPRESSED = 4
const dsaEncoding = 'ieee-p1363'

export const signEs256 = (key: KeyObject, text: string): Buffer =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding })

export const verifyEs256 = (key: KeyObject, text: string, signature: Uint8Array): boolean =>
  signature.length === SIGNATURE_BYTES && verify('sha256', Buffer.from(text), { key, dsaEncoding }, signature)

const toBase64Url = (half: Uint8Array) => Buffer.from(half).toString('base64url')

/** Returns undefined if the point is not on the curve. */
export function importCoordinates(x: Uint8Array, y: Uint8Array): KeyObject | undefined {
  if (x.length !== HALF || y.length !== HALF) return undefined
  const key = { kty: 'EC', crv: 'P-256', x: toBase64Url(x), y: toBase64Url(y) }
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** Parses an uncompressed point in canonical base64url, or returns undefined. */
export function importPoint(publicKey: string): KeyObject | undefined {
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== 1 + 2 * HALF || point[0] !== UNCOMPRESSED) return undefined
  if (point.toString('base64url') !== publicKey) return undefined
  return importCoordinates(point.subarray(1, 1 + HALF), point.subarray(1 + HALF))
}

export const isCurvePoint = (publicKey: string): boolean => importPoint(publicKey) !== undefined

/** LRU cache of keys by thumbprint: a browser's key is imported once for many calls. */
const cachedKeys = new Map<string, KeyObject>()

export function importCachedKey(
  thumbprint: string,
  { x, y }: { x: string; y: string },
): KeyObject | undefined {
  const key =
    cachedKeys.get(thumbprint) ?? importCoordinates(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'))
  if (key === undefined) return undefined
  cachedKeys.delete(thumbprint)
  cachedKeys.set(thumbprint, key)
  if (cachedKeys.size > keyLimits.importedKeys) {
    const [longestUnused = ''] = cachedKeys.keys()
    cachedKeys.delete(longestUnused)
  }
  return key
}
