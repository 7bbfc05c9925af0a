/** RFC 6238 over RFC 4226: SHA-1, six digits, steps of 30 s. */
import { createHmac } from 'node:crypto'
import { mfaLimits } from '@latchkey/protocol'
import { isSame } from '../../../kernel/keys/keys.ts'
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
  { nowSeconds, lastStep }: { readonly nowSeconds: number; readonly lastStep: number },
): number | undefined {
  const steps = Array.from(
    { length: 2 * totpWindowSteps + 1 },
    (_, at) => stepAt(nowSeconds) - totpWindowSteps + at,
  )
  // All of them are compared, whichever is right.
  const right = steps.filter((step) => isSame(codeAt(secret, step), code))
  return right.find((step) => step > lastStep)
}
