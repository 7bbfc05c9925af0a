/**
 * What may be tried how often. Whether there is room is decided by the statement that takes it, so parallel
 * calls can not both get the last place.
 *
 * A small budget (guesses of a code) is a row of slots: each is taken for one whole window from the moment it
 * was taken, so no window of that length, wherever it begins, ever holds more than the limit. A large budget
 * (calls of an address) is one counter that starts anew when its window is over.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { attemptSlots } from '../limits.ts'
import type { Reader, Trx } from '../ports.ts'
import * as store from './store.ts'

export type Budget = { readonly limit: number; readonly windowSeconds: number }
/** `taken` is for `giveBack`. */
export type Allowance = { readonly allowed: true; readonly taken: readonly string[] } | Refused
type Refused = { readonly allowed: false; readonly retryAfterSeconds: number }

export type Attempt = {
  readonly key: string
  readonly budgets: readonly Budget[]
  readonly nowSeconds: number
}

/** All budgets have room, or nothing is taken from any. */
export const take = (reader: Reader, attempt: Attempt): Promise<Allowance> =>
  takeUntil(reader, attempt, ({ windowSeconds }) => attempt.nowSeconds + windowSeconds)

/**
 * What turns out to be no attempt passes as `take` does: there must be room in each budget, and it stays free. It is
 * taken and given back, so that whoever wants the same room meanwhile waits for the end of this transaction.
 */
export async function pass(trx: Trx, attempt: Attempt): Promise<Allowance> {
  const allowance = await takeUntil(trx, attempt, () => attempt.nowSeconds)
  if (!allowance.allowed) return allowance
  const counted = attempt.budgets.filter((budget) => !hasSlots(budget))
  await giveBack(
    trx,
    counted.map((budget) => counterOf(attempt.key, budget)),
  )
  return { allowed: true, taken: [] }
}

/** What was no attempt after all. */
export async function giveBack(reader: Reader, taken: readonly string[]): Promise<void> {
  if (taken.length > 0) await store.giveBack(reader, taken)
}

/** So much of a large budget at once, for who spends it bit by bit: the limit is a multiple of the amount. */
export type Portion = { readonly allowed: true; readonly endsAt: number } | Refused
export async function takePortion(
  reader: Reader,
  { key, budget, nowSeconds }: Omit<Attempt, 'budgets'> & { readonly budget: Budget },
  amount: number,
): Promise<Portion> {
  const { limit, windowSeconds } = budget
  const row = counterOf(key, budget)
  const expiresAt = nowSeconds + windowSeconds
  const endsAt = await store.takeOfCounter(reader, { key: row, amount, limit, nowSeconds, expiresAt })
  if (endsAt !== undefined) return { allowed: true, endsAt }
  const inUse = await store.rowsInUse(reader, [row], nowSeconds)
  return refused(inUse.get(row) ?? Number.NaN, nowSeconds, windowSeconds)
}

const hasSlots = ({ limit }: Budget) => limit <= attemptSlots.slotsUpTo
const counterOf = (key: string, { windowSeconds }: Budget) => `${key}|${windowSeconds}`
const slotOf = (key: string, { windowSeconds }: Budget, slot: number) => `${key}|${windowSeconds}|${slot}`
const slotsOf = (key: string, budget: Budget): readonly string[] =>
  Array.from({ length: budget.limit }, (_, slot) => slotOf(key, budget, slot))

async function takeUntil(
  reader: Reader,
  attempt: Attempt,
  until: (budget: Budget) => number,
): Promise<Allowance> {
  const { key, nowSeconds, budgets } = attempt
  const slots = await takeSlots(reader, { ...attempt, budgets: budgets.filter(hasSlots) }, until)
  if (!slots.allowed) return slots
  const taken = [...slots.taken]
  for (const budget of budgets.filter((one) => !hasSlots(one))) {
    const one = await takePortion(reader, { key, budget, nowSeconds }, 1)
    if (!one.allowed) {
      await giveBack(reader, taken)
      return one
    }
    taken.push(counterOf(key, budget))
  }
  return { allowed: true, taken }
}

/** One of each budget. Nearly always the first slots are free, so they are tried before anything is read. */
async function takeSlots(
  reader: Reader,
  { key, budgets, nowSeconds }: Attempt,
  until: (budget: Budget) => number,
): Promise<Allowance> {
  const taken: string[] = []
  let open = budgets
  let inUse: ReadonlyMap<string, number> = new Map()
  while (open.length > 0) {
    const wanted = open.map((budget) => ({
      budget,
      slot: slotsOf(key, budget).find((slot) => !inUse.has(slot)),
    }))
    const full = wanted.find(({ slot }) => slot === undefined)?.budget
    if (full) {
      await giveBack(reader, taken)
      const ends = slotsOf(key, full).map((slot) => inUse.get(slot) ?? Number.POSITIVE_INFINITY)
      return refused(Math.min(...ends), nowSeconds, full.windowSeconds)
    }
    const got = await store.takeSlots(
      reader,
      wanted.map(({ budget, slot = '' }) => ({ key: slot, expiresAt: until(budget) })),
      nowSeconds,
    )
    taken.push(...got)
    open = wanted.filter(({ slot = '' }) => !got.includes(slot)).map(({ budget }) => budget)
    if (open.length > 0) {
      // Somebody may have taken the one that was free; then the next one is tried.
      const all = open.flatMap((budget) => slotsOf(key, budget))
      inUse = await store.rowsInUse(reader, all, nowSeconds)
    }
  }
  return { allowed: true, taken }
}

const refused = (freeAt: number, nowSeconds: number, windowSeconds: number): Refused => ({
  allowed: false,
  retryAfterSeconds: Number.isFinite(freeAt) ? Math.max(1, freeAt - nowSeconds) : windowSeconds,
})

/** Answered with 429 and `retry-after`. */
export const tooManyRequests = (retryAfterSeconds: number) =>
  new LatchkeyError('too_many_requests', 'Too many requests. Please wait before trying again.', {
    retryAfterSeconds,
  })
