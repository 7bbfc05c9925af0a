/**
 * Rate limits and quotas. The same statement that consumes a quota checks it, so parallel calls cannot both get the
 * last place.
 *
 * A small quota (guesses of a code) is stored as slots. Each slot stays taken for one whole window, which makes the
 * window sliding: no interval of that length ever has more than the limit. A large quota (calls per IP address) is a
 * fixed-window counter.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { attemptSlots } from '../limits.ts'
import type { Reader, Trx } from '../ports.ts'
import * as store from './store.ts'

export type Quota = { limit: number; windowSeconds: number }
/** `taken` is the input of `refund`. */
export type Allowance = { allowed: true; taken: readonly string[] } | Refused
type Refused = { allowed: false; retryAfterSeconds: number }

/** A key with its quotas: an IP address, an identifier, a user. */
export type Charge = { key: string; quotas: readonly Quota[] }
export type Attempt = Charge & { nowSeconds: number }

/** Consumes one unit of each quota, or nothing if one of them is exhausted. */
export const consume = (reader: Reader, attempt: Attempt): Promise<Allowance> =>
  consumeAll(reader, [attempt], attempt.nowSeconds)

/** Consumes the quotas of several keys in as few statements as one. */
export const consumeAll = (
  reader: Reader,
  charges: readonly Charge[],
  nowSeconds: number,
): Promise<Allowance> =>
  consumeUntil(reader, toKeyedQuotas(charges), nowSeconds, ({ windowSeconds }) => nowSeconds + windowSeconds)

/**
 * Checks like `consumeAll` that each quota has room, but leaves the room free. It consumes and refunds in the transaction,
 * so that concurrent calls for the same room wait for its commit.
 */
export async function checkAll(trx: Trx, charges: readonly Charge[], nowSeconds: number): Promise<Allowance> {
  const keyedQuotas = toKeyedQuotas(charges)
  const allowance = await consumeUntil(trx, keyedQuotas, nowSeconds, () => nowSeconds)
  if (!allowance.allowed) return allowance
  await refund(trx, keyedQuotas.filter((keyedQuota) => !hasSlots(keyedQuota)).map(counterKey))
  return { allowed: true, taken: [] }
}

/** Refunds quotas of a call that does not count as an attempt. */
export async function refund(reader: Reader, taken: readonly string[]): Promise<void> {
  if (taken.length > 0) await store.refund(reader, taken)
}

/** A part of a large quota, consumed at once and spent in small steps. The limit must be a multiple of the amount. */
export type Portion = { allowed: true; endsAt: number } | Refused
export async function consumePortion(
  reader: Reader,
  { nowSeconds, ...keyedQuota }: KeyedQuota & { nowSeconds: number },
  amount: number,
): Promise<Portion> {
  const ends = await consumeCounters(reader, [keyedQuota], nowSeconds, amount)
  const endsAt = ends.get(counterKey(keyedQuota))
  return endsAt === undefined ? refuseUntilFree(reader, keyedQuota, nowSeconds) : { allowed: true, endsAt }
}

/** A quota of a single key. */
type KeyedQuota = { key: string; quota: Quota }

const toKeyedQuotas = (charges: readonly Charge[]): readonly KeyedQuota[] =>
  charges.flatMap(({ key, quotas }) => quotas.map((quota) => ({ key, quota })))

const hasSlots = ({ quota }: KeyedQuota) => quota.limit <= attemptSlots.slotsUpTo
const counterKey = ({ key, quota }: KeyedQuota) => `${key}|${quota.windowSeconds}`
const slotKeys = (keyedQuota: KeyedQuota): readonly string[] =>
  Array.from({ length: keyedQuota.quota.limit }, (_, slot) => `${counterKey(keyedQuota)}|${slot}`)

/** Consumes slots before counters, and both in the order of `keyedQuotas`, so that parallel calls do not deadlock. */
async function consumeUntil(
  reader: Reader,
  keyedQuotas: readonly KeyedQuota[],
  nowSeconds: number,
  until: (quota: Quota) => number,
): Promise<Allowance> {
  const slots = await takeSlots(reader, keyedQuotas.filter(hasSlots), nowSeconds, until)
  const counters = keyedQuotas.filter((keyedQuota) => !hasSlots(keyedQuota))
  if (!slots.allowed || counters.length === 0) return slots
  const counted = await consumeCounters(reader, counters, nowSeconds, 1)
  const consumedKeys = [...slots.taken, ...counted.keys()]
  const full = counters.find((keyedQuota) => !counted.has(counterKey(keyedQuota)))
  if (!full) return { allowed: true, taken: consumedKeys }
  await refund(reader, consumedKeys)
  return refuseUntilFree(reader, full, nowSeconds)
}

const consumeCounters = (
  reader: Reader,
  keyedQuotas: readonly KeyedQuota[],
  nowSeconds: number,
  amount: number,
) =>
  store.consumeCounters(
    reader,
    keyedQuotas.map((keyedQuota) => ({
      key: counterKey(keyedQuota),
      amount,
      limit: keyedQuota.quota.limit,
      expiresAt: nowSeconds + keyedQuota.quota.windowSeconds,
    })),
    nowSeconds,
  )

/** A full counter has room again at the end of its window. */
async function refuseUntilFree(reader: Reader, keyedQuota: KeyedQuota, nowSeconds: number): Promise<Refused> {
  const counter = counterKey(keyedQuota)
  const inUse = await store.rowsInUse(reader, [counter], nowSeconds)
  return refused(inUse.get(counter) ?? Number.NaN, nowSeconds, keyedQuota.quota.windowSeconds)
}

/** Takes one slot of each quota. Tries the first slots before it reads any, because they are usually free. */
async function takeSlots(
  reader: Reader,
  keyedQuotas: readonly KeyedQuota[],
  nowSeconds: number,
  until: (quota: Quota) => number,
): Promise<Allowance> {
  const takenSlots: string[] = []
  let open = keyedQuotas
  let inUse: ReadonlyMap<string, number> = new Map()
  while (open.length > 0) {
    const candidates = open.map((keyedQuota) => ({
      keyedQuota,
      slot: slotKeys(keyedQuota).find((slot) => !inUse.has(slot)),
    }))
    const full = candidates.find(({ slot }) => slot === undefined)?.keyedQuota
    if (full) {
      await refund(reader, takenSlots)
      const ends = slotKeys(full).map((slot) => inUse.get(slot) ?? Number.POSITIVE_INFINITY)
      return refused(Math.min(...ends), nowSeconds, full.quota.windowSeconds)
    }
    const got = await store.takeSlots(
      reader,
      candidates.map(({ keyedQuota, slot = '' }) => ({ key: slot, expiresAt: until(keyedQuota.quota) })),
      nowSeconds,
    )
    takenSlots.push(...got)
    open = candidates.filter(({ slot = '' }) => !got.includes(slot)).map(({ keyedQuota }) => keyedQuota)
    if (open.length > 0) {
      // A parallel call may have taken the free slot; read the slots again and try the next one.
      inUse = await store.rowsInUse(reader, open.flatMap(slotKeys), nowSeconds)
    }
  }
  return { allowed: true, taken: takenSlots }
}

const refused = (freeAt: number, nowSeconds: number, windowSeconds: number): Refused => ({
  allowed: false,
  retryAfterSeconds: Number.isFinite(freeAt) ? Math.max(1, freeAt - nowSeconds) : windowSeconds,
})

/** The API returns it with status 429 and a `retry-after` header. */
export const tooManyRequests = (retryAfterSeconds: number) =>
  new LatchkeyError('too_many_requests', 'Too many requests. Please wait before trying again.', {
    retryAfterSeconds,
  })
