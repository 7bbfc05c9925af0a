/** Public keys of vault operations: points of P-256. */
import { generateKeyPairSync } from 'node:crypto'

const keys = new Map<number, string>()

/** Returns the public key of an operation, by its number. */
export function publicKeyOf(operation: number): string {
  const known = keys.get(operation)
  if (known !== undefined) return known
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const coordinates = [x, y].map((half) => Buffer.from(half ?? '', 'base64url'))
  const key = Buffer.concat([Buffer.of(4), ...coordinates]).toString('base64url')
  keys.set(operation, key)
  return key
}
