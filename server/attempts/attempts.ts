/** What may be tried how often. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Reader } from '../ports.ts'

export type Budget = { readonly limit: number; readonly windowSeconds: number }
export type Allowance =
  | { readonly allowed: true; readonly taken: readonly string[] }
  | { readonly allowed: false; readonly retryAfterSeconds: number }

/** `taken` is for `refund`. All budgets have room, or nothing is taken from any. */
export type Consume = (
  reader: Reader,
  attempt: { readonly key: string; readonly budgets: readonly Budget[]; readonly nowSeconds: number },
) => Promise<Allowance>
export type Refund = (reader: Reader, taken: readonly string[]) => Promise<void>

/** Answered with 429 and `retry-after`. */
export const tooManyRequests = (retryAfterSeconds: number) =>
  new LatchkeyError('too_many_requests', 'Too many requests. Please wait before trying again.', {
    details: { retryAfterSeconds },
  })
