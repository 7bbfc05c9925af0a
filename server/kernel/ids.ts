import { randomFillSync, randomInt } from 'node:crypto'

const idBytes = 18
/** Random bytes are drawn in bulk: drawing is expensive, and a login needs a dozen ids. */
const drawn = Buffer.alloc(idBytes * 64)
let used = drawn.length

/** Returns 144 random bits in base64url. Random, so that ids reveal no counts. */
export function randomId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const start = used
  used += idBytes
  return drawn.toString('base64url', start, used)
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
export const randomLetters = (length: number) =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('')
