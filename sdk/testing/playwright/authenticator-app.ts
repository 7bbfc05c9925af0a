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
  /** Returns a code that the server accepts. Each call returns the code of a later step, because a code is valid once. */
  code: () => string
  /** Returns a code that is not valid now. */
  wrongCode: () => string
}

/** The server accepts the steps before and after the current one. A step about to expire is not used. */
const SAFE_SECONDS = 10

export function authenticatorApp(secret: string): AuthenticatorApp {
  const key = decodeBase32(secret)
  let lastStep = 0
  const now = () => Date.now() / 1_000
  const earliestStep = () => Math.floor((now() + SAFE_SECONDS) / STEP_SECONDS) - 1
  return {
    code() {
      lastStep = Math.max(lastStep + 1, earliestStep())
      return codeAt(key, lastStep)
    },
    wrongCode() {
      const near = [0, 1, 2, 3].map((later) => codeAt(key, earliestStep() + later))
      const wrong = ['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code))
      return wrong ?? ''
    },
  }
}

function codeAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
