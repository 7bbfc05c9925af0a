/** An authenticator app after RFC 6238 and RFC 4648, independent of the product. */
import { createHmac } from 'node:crypto'

const STEP_SECONDS = 30
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function decodeBase32(secret: string): Buffer {
  const bits = Array.from(secret.replace(/[\s=]/g, ''), (letter) =>
    alphabet.indexOf(letter.toUpperCase()).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export type AuthenticatorApp = {
  /** Returns the current code, or the code of a later step of 30 s. */
  code: (stepsLater?: number) => string
}

export const authenticatorApp = (secret: string): AuthenticatorApp => ({
  code(stepsLater = 0) {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1_000 / STEP_SECONDS) + stepsLater))
    const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
    const offset = mac.readUInt8(mac.length - 1) & 0xf
    return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
  },
})
