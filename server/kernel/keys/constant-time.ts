import { timingSafeEqual } from 'node:crypto'

/** Compares in a time that does not depend on where the two differ; their lengths are no secret. */
export function isSame(expected: string | Uint8Array, given: string | Uint8Array): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
