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

export type Budget = { limit: number; windowSeconds: number }
/** `taken` is for `giveBack`. */
export type Allowance = { allowed: true; taken: readonly string[] } | Refused
type Refused = { allowed: false; retryAfterSeconds: number }

/** Who is charged by an attempt, and the budgets of theirs. */
export type Charge = { key: string; budgets: readonly Budget[] }
export type Attempt = Charge & { nowSeconds: number }

/** All budgets have room, or nothing is taken from any. */
export const take = (reader: Reader, attempt: Attempt): Promise<Allowance> =>
  takeAll(reader, [attempt], attempt.nowSeconds)

/** The same of all who are charged, in as many statements. */
export const takeAll = (reader: Reader, charges: readonly Charge[], nowSeconds: number): Promise<Allowance> =>
  takeUntil(reader, placesOf(charges), nowSeconds, ({ windowSeconds }) => nowSeconds + windowSeconds)

/**
 * What turns out to be no attempt passes as `takeAll` does: there must be room in each budget, and it stays free. It is
 * taken and given back, so that whoever wants the same room meanwhile waits for the end of this transaction.
 */
export async function passAll(trx: Trx, charges: readonly Charge[], nowSeconds: number): Promise<Allowance> {
  const places = placesOf(charges)
  const allowance = await takeUntil(trx, places, nowSeconds, () => nowSeconds)
  if (!allowance.allowed) return allowance
  await giveBack(trx, places.filter((place) => !hasSlots(place)).map(counterOf))
  return { allowed: true, taken: [] }
}

/** What was no attempt after all. */
export async function giveBack(reader: Reader, taken: readonly string[]): Promise<void> {
  if (taken.length > 0) await store.giveBack(reader, taken)
}

/** So much of a large budget at once, for who spends it bit by bit: the limit is a multiple of the amount. */
export type Portion = { allowed: true; endsAt: number } | Refused
export async function takePortion(
  reader: Reader,
  { nowSeconds, ...place }: Place & { nowSeconds: number },
  amount: number,
): Promise<Portion> {
  const ends = await takeOfCounters(reader, [place], nowSeconds, amount)
  const endsAt = ends.get(counterOf(place))
  return endsAt === undefined ? whenFree(reader, place, nowSeconds) : { allowed: true, endsAt }
}

/** A budget of somebody. */
type Place = { key: string; budget: Budget }

const placesOf = (charges: readonly Charge[]): readonly Place[] =>
  charges.flatMap(({ key, budgets }) => budgets.map((budget) => ({ key, budget })))

const hasSlots = ({ budget }: Place) => budget.limit <= attemptSlots.slotsUpTo
const counterOf = ({ key, budget }: Place) => `${key}|${budget.windowSeconds}`
const slotsOf = (place: Place): readonly string[] =>
  Array.from({ length: place.budget.limit }, (_, slot) => `${counterOf(place)}|${slot}`)

/** Everybody takes slots before counters, and each of them in this order. */
async function takeUntil(
  reader: Reader,
  places: readonly Place[],
  nowSeconds: number,
  until: (budget: Budget) => number,
): Promise<Allowance> {
  const slots = await takeSlots(reader, places.filter(hasSlots), nowSeconds, until)
  const counters = places.filter((place) => !hasSlots(place))
  if (!slots.allowed || counters.length === 0) return slots
  const counted = await takeOfCounters(reader, counters, nowSeconds, 1)
  const taken = [...slots.taken, ...counted.keys()]
  const full = counters.find((place) => !counted.has(counterOf(place)))
  if (!full) return { allowed: true, taken }
  await giveBack(reader, taken)
  return whenFree(reader, full, nowSeconds)
}

const takeOfCounters = (reader: Reader, places: readonly Place[], nowSeconds: number, amount: number) =>
  store.takeOfCounters(
    reader,
    places.map((place) => ({
      key: counterOf(place),
      amount,
      limit: place.budget.limit,
      expiresAt: nowSeconds + place.budget.windowSeconds,
    })),
    nowSeconds,
  )

/** One counter that is full is free again at the end of its window. */
async function whenFree(reader: Reader, place: Place, nowSeconds: number): Promise<Refused> {
  const counter = counterOf(place)
  const inUse = await store.rowsInUse(reader, [counter], nowSeconds)
  return refused(inUse.get(counter) ?? Number.NaN, nowSeconds, place.budget.windowSeconds)
}

/** One of each budget. Nearly always the first slots are free, so they are tried before anything is read. */
async function takeSlots(
  reader: Reader,
  places: readonly Place[],
  nowSeconds: number,
  until: (budget: Budget) => number,
): Promise<Allowance> {
  const taken: string[] = []
  let open = places
  let inUse: ReadonlyMap<string, number> = new Map()
  while (open.length > 0) {
    const wanted = open.map((place) => ({
      place,
      slot: slotsOf(place).find((slot) => !inUse.has(slot)),
    }))
    const full = wanted.find(({ slot }) => slot === undefined)?.place
    if (full) {
      await giveBack(reader, taken)
      const ends = slotsOf(full).map((slot) => inUse.get(slot) ?? Number.POSITIVE_INFINITY)
      return refused(Math.min(...ends), nowSeconds, full.budget.windowSeconds)
    }
    const got = await store.takeSlots(
      reader,
      wanted.map(({ place, slot = '' }) => ({ key: slot, expiresAt: until(place.budget) })),
      nowSeconds,
    )
    taken.push(...got)
    open = wanted.filter(({ slot = '' }) => !got.includes(slot)).map(({ place }) => place)
    if (open.length > 0) {
      // Somebody may have taken the one that was free; then the next one is tried.
      inUse = await store.rowsInUse(reader, open.flatMap(slotsOf), nowSeconds)
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
