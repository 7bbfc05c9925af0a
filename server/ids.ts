import { randomBytes, randomInt } from 'node:crypto'

const idBytes = 18

/** 144 random bits, base64url: never a sequence, so that it tells nobody how many there are. */
export const randomId = () => randomBytes(idBytes).toString('base64url')

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
export const randomLetters = (length: number) =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('')
