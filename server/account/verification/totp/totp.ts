/** Implements TOTP (RFC 6238, RFC 4226) with SHA-1, six digits and 30 s steps, and the setup URI for apps. */
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

/** Returns the earliest step within the window that matches the code and is later than the last used step. */
export function findCodeStep(
  secret: Uint8Array,
  code: string,
  { nowSeconds, lastStep }: { nowSeconds: number; lastStep: number },
): number | undefined {
  const steps = Array.from(
    { length: 2 * totpWindowSteps + 1 },
    (_, at) => stepAt(nowSeconds) - totpWindowSteps + at,
  )
  // Compares all steps, so that the duration does not reveal the match.
  const matches = steps.filter((step) => equalsInConstantTime(codeAt(secret, step), code))
  return matches.find((step) => step > lastStep)
}

/** Encodes the secret without padding, as authenticator apps expect. */
export const base32 = base32nopad.encode

/** Builds the setup URI. A colon separates issuer and account. https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
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
