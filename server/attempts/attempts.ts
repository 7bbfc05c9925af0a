/**
 * What may be tried how often. Whether there is room is decided by the statement that takes it, so parallel
 * calls can not both get the last place.
 *
 * A small budget (guesses of a code) is a row of slots: each is taken for one whole window from the moment it
 * was taken, so no window of that length, wherever it begins, ever holds more than the limit. A large budget
 * (calls a minute) is one counter that starts anew when its window is over.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { attemptSlots } from '../limits.ts'
import type { Reader } from '../ports.ts'
import * as store from './store.ts'

export type Budget = { readonly limit: number; readonly windowSeconds: number }
/** `taken` is for `giveBack`. */
export type Allowance =
  | { readonly allowed: true; readonly taken: readonly string[] }
  | { readonly allowed: false; readonly retryAfterSeconds: number }

export type Attempt = {
  readonly key: string
  readonly budgets: readonly Budget[]
  readonly nowSeconds: number
}

/** All budgets have room, or nothing is taken from any. */
export async function take(reader: Reader, attempt: Attempt): Promise<Allowance> {
  const taken: string[] = []
  for (const budget of attempt.budgets) {
    const one = await takeFrom(reader, attempt, budget)
    if (!one.allowed) {
      await giveBack(reader, taken)
      return one
    }
    taken.push(...one.taken)
  }
  return { allowed: true, taken }
}

/** What was no attempt after all. */
export async function giveBack(reader: Reader, taken: readonly string[]): Promise<void> {
  for (const key of taken) await store.giveBack(reader, key)
}

function takeFrom(reader: Reader, { key, nowSeconds }: Attempt, budget: Budget): Promise<Allowance> {
  return budget.limit <= attemptSlots.slotsUpTo
    ? takeSlot(reader, rowsOf(key, budget), budget, nowSeconds)
    : takeOfCounter(reader, rowsOf(key, budget), budget, nowSeconds)
}

const rowsOf = (key: string, { limit, windowSeconds }: Budget): readonly string[] =>
  limit <= attemptSlots.slotsUpTo
    ? Array.from({ length: limit }, (_, slot) => `${key}|${windowSeconds}|${slot}`)
    : [`${key}|${windowSeconds}`]

async function takeSlot(
  reader: Reader,
  slots: readonly string[],
  { windowSeconds }: Budget,
  nowSeconds: number,
): Promise<Allowance> {
  const used = await store.slotsInUse(reader, slots, nowSeconds)
  for (const slot of slots) {
    if (used.has(slot)) continue
    // Somebody may have taken it since; then the next one is tried.
    if (await store.takeSlot(reader, slot, nowSeconds, nowSeconds + windowSeconds)) {
      return { allowed: true, taken: [slot] }
    }
  }
  const now = await store.slotsInUse(reader, slots, nowSeconds)
  return refused(Math.min(...now.values()), nowSeconds, windowSeconds)
}

async function takeOfCounter(
  reader: Reader,
  [row = '']: readonly string[],
  { limit, windowSeconds }: Budget,
  nowSeconds: number,
): Promise<Allowance> {
  if (await store.takeOfCounter(reader, row, { limit, nowSeconds, expiresAt: nowSeconds + windowSeconds })) {
    return { allowed: true, taken: [row] }
  }
  const inUse = await store.slotsInUse(reader, [row], nowSeconds)
  return refused(inUse.get(row) ?? Number.NaN, nowSeconds, windowSeconds)
}

const refused = (freeAt: number, nowSeconds: number, windowSeconds: number): Allowance => ({
  allowed: false,
  retryAfterSeconds: Number.isFinite(freeAt) ? Math.max(1, freeAt - nowSeconds) : windowSeconds,
})

/** Answered with 429 and `retry-after`. */
export const tooManyRequests = (retryAfterSeconds: number) =>
  new LatchkeyError('too_many_requests', 'Too many requests. Please wait before trying again.', {
    retryAfterSeconds,
  })
