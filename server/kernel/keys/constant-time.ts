import { timingSafeEqual } from 'node:crypto'

/** In a time that tells nothing of where the two differ; their lengths are no secret. */
export function isSame(expected: string | Uint8Array, given: string | Uint8Array): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
