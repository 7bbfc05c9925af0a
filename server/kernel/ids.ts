import { randomFillSync, randomInt } from 'node:crypto'

const idBytes = 18
/** Drawn together: drawing is what costs, and a login takes a dozen. */
const drawn = Buffer.alloc(idBytes * 64)
let used = drawn.length

/** 144 random bits, base64url: never a sequence, so that it tells nobody how many there are. */
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
