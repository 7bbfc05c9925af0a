/** RFC 6238 over RFC 4226: SHA-1, six digits, steps of 30 s; and how the secret reaches an authenticator app. */
import { createHmac } from 'node:crypto'
import { mfaLimits } from '@latchkey/protocol'
import { base32nopad } from '@scure/base'
import { equalsInConstantTime } from '../../../kernel/keys/keys.ts'
import { mfaServerLimits } from '../limits.ts'

const { totpStepSeconds, totpWindowSteps } = mfaServerLimits
const COUNTER_BYTES = 8

export const stepAt = (seconds: number): number => Math.floor(seconds / totpStepSeconds)

/** https://www.rfc-editor.org/rfc/rfc4226#section-5.3 */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(COUNTER_BYTES)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const truncated = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(truncated % 10 ** mfaLimits.codeLength).padStart(mfaLimits.codeLength, '0')
}

/** The earliest step near now whose code this is, of those after the last one that was used. */
export function stepOfCode(
  secret: Uint8Array,
  code: string,
  { nowSeconds, lastStep }: { nowSeconds: number; lastStep: number },
): number | undefined {
  const steps = Array.from(
    { length: 2 * totpWindowSteps + 1 },
    (_, at) => stepAt(nowSeconds) - totpWindowSteps + at,
  )
  // All of them are compared, whichever is right.
  const right = steps.filter((step) => equalsInConstantTime(codeAt(secret, step), code))
  return right.find((step) => step > lastStep)
}

/** Apps show and take the secret without padding. */
export const base32 = base32nopad.encode

/** A colon parts the issuer from the account. https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function keyUri({
  secret,
  issuer,
  account,
}: {
  secret: string
  issuer: string
  account: string
}): string {
  const name = (text: string) => encodeURIComponent(text.replaceAll(':', ' ').trim())
  const query = [
    `secret=${secret}`,
    `issuer=${name(issuer)}`,
    'algorithm=SHA1',
    'digits=6',
    'period=30',
  ].join('&')
  return `otpauth://totp/${name(issuer)}:${name(account)}?${query}`
}
