import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forEachEngine } from '../db/test-engines.ts'
import type { Trx } from '../ports.ts'
import {
  type Attempt,
  checkAll,
  consume,
  consumeAll,
  type Quota,
  refund,
  tooManyRequests,
} from './attempts.ts'

const guesses: Quota = { limit: 5, windowSeconds: 600 }
const aDay: Quota = { limit: 20, windowSeconds: 86_400 }
const calls: Quota = { limit: 300, windowSeconds: 60 }

forEachEngine((database) => {
  const pass = (trx: Trx, attempt: Attempt) => checkAll(trx, [attempt], attempt.nowSeconds)
  const tryAt = (nowSeconds: number, quotas: readonly Quota[], key = 'a') =>
    consume(database().db, { key, quotas, nowSeconds })
  const allowedAt = async (nowSeconds: number, quotas: readonly Quota[], key?: string) =>
    (await tryAt(nowSeconds, quotas, key)).allowed

  test('grants five slots, and reports when the next one is free', async () => {
    for (let second = 0; second < 5; second += 1)
      expect(await allowedAt(1_000 + second, [guesses])).toBe(true)
    expect(await tryAt(1_010, [guesses])).toEqual({ allowed: false, retryAfterSeconds: 590 })
    expect(await tryAt(1_599, [guesses])).toEqual({ allowed: false, retryAfterSeconds: 1 })
    expect(await allowedAt(1_600, [guesses])).toBe(true)
    expect(await allowedAt(1_600, [guesses])).toBe(false)
  })

  test('never grants more than five in any interval of ten minutes', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 8, maxLength: 20 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(pauses, async (waits) => {
        run += 1
        const allowedAtSeconds: number[] = []
        let now = 10_000
        for (const wait of waits) {
          now += wait
          if (await allowedAt(now, [guesses], `run ${run}`)) allowedAtSeconds.push(now)
        }
        for (const start of allowedAtSeconds) {
          expect(
            allowedAtSeconds.filter((time) => time >= start && time < start + 600).length,
          ).toBeLessThanOrEqual(5)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('grants five of forty parallel attempts', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => allowedAt(1_000, [guesses])))
    expect(answers.filter(Boolean)).toHaveLength(5)
  })

  test('grants five attempts of parallel transactions', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        database().transaction((trx) =>
          consume(trx, { key: 'a', quotas: [guesses, aDay], nowSeconds: 1_000 }),
        ),
      ),
    )
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(5)
  })

  test('consumes no quota if one of several is exhausted', async () => {
    const both = [aDay, guesses]
    for (let turn = 0; turn < 5; turn += 1) await tryAt(1_000, both)
    for (let turn = 0; turn < 30; turn += 1) expect(await allowedAt(1_001, both)).toBe(false)
    // Fifteen of the daily quota are left, not fewer.
    let allowedCount = 0
    for (let turn = 0; turn < 20; turn += 1) if (await allowedAt(1_002, [aDay])) allowedCount += 1
    expect(allowedCount).toBe(15)
  })

  test('keys have separate quotas', async () => {
    for (let turn = 0; turn < 5; turn += 1) await tryAt(1_000, [guesses], 'a')
    expect(await allowedAt(1_000, [guesses], 'b')).toBe(true)
  })

  test('a refund frees exactly one slot', async () => {
    const answers = []
    for (let turn = 0; turn < 5; turn += 1) answers.push(await tryAt(1_000, [guesses]))
    const [first] = answers
    if (!first?.allowed) throw new Error('the first attempt is allowed')
    await refund(database().db, first.taken)
    expect(await allowedAt(1_000, [guesses])).toBe(true)
    expect(await allowedAt(1_000, [guesses])).toBe(false)
  })

  test('checkAll requires room in each quota and consumes none', async () => {
    const both = [guesses, aDay]
    const passes = (nowSeconds: number) =>
      database().transaction((trx) => pass(trx, { key: 'a', quotas: both, nowSeconds }))
    for (let turn = 0; turn < 12; turn += 1) expect((await passes(1_000)).allowed).toBe(true)
    for (let turn = 0; turn < 5; turn += 1) expect(await allowedAt(1_000, both)).toBe(true)
    expect(await passes(1_001)).toEqual({ allowed: false, retryAfterSeconds: 599 })
    expect((await passes(1_600)).allowed).toBe(true)
  })

  test('checkAll requires room in a counter and consumes none', async () => {
    const counted: Quota = { limit: 33, windowSeconds: 60 }
    const passes = () =>
      database().transaction((trx) => pass(trx, { key: 'a', quotas: [counted], nowSeconds: 1_000 }))
    for (let turn = 0; turn < 40; turn += 1) expect((await passes()).allowed).toBe(true)
    for (let turn = 0; turn < 33; turn += 1) expect(await allowedAt(1_000, [counted])).toBe(true)
    expect(await passes()).toEqual({ allowed: false, retryAfterSeconds: 60 })
  })

  test('a refund frees a slot that was used a second time', async () => {
    for (let turn = 0; turn < 5; turn += 1) await tryAt(1_000, [guesses])
    const again = await tryAt(1_600, [guesses])
    if (!again.allowed) throw new Error('there is room')
    await refund(database().db, again.taken)
    for (let turn = 0; turn < 5; turn += 1) expect(await allowedAt(1_600, [guesses])).toBe(true)
  })

  test('refunds the slot of one quota if another is exhausted', async () => {
    for (let turn = 0; turn < 5; turn += 1) await tryAt(1_000, [guesses])
    for (let turn = 0; turn < 3; turn += 1) expect(await allowedAt(1_000, [aDay, guesses])).toBe(false)
    let allowedCount = 0
    while (await allowedAt(1_000, [aDay])) allowedCount += 1
    expect(allowedCount).toBe(20)
  })

  test('refunds the slots if a counter is exhausted', async () => {
    const counted: Quota = { limit: 33, windowSeconds: 60 }
    const slots: Quota = { limit: 5, windowSeconds: 600 }
    for (let turn = 0; turn < 33; turn += 1) await tryAt(1_000, [counted])
    for (let turn = 0; turn < 9; turn += 1) expect(await allowedAt(1_001, [slots, counted])).toBe(false)
    let allowedCount = 0
    for (let turn = 0; turn < 9; turn += 1) if (await allowedAt(1_002, [slots])) allowedCount += 1
    expect(allowedCount).toBe(5)
  })

  test('consumes one, two and three quotas exactly once each', async () => {
    const quotas = [60, 600, 6_000].map((windowSeconds) => ({ limit: 3, windowSeconds }))
    for (const count of [1, 2, 3]) {
      const some = quotas.slice(0, count)
      const key = `of ${count}`
      expect(await tryAt(1_000, some, key)).toEqual({
        allowed: true,
        taken: some.map(({ windowSeconds }) => `${key}|${windowSeconds}|0`),
      })
      for (const quota of some) {
        let left = 0
        while (await allowedAt(1_001, [quota], key)) left += 1
        expect(left).toBe(2)
      }
    }
  })

  test('consumes the quotas of all keys or none, for slots and counters', async () => {
    const counted: Quota = { limit: 33, windowSeconds: 60 }
    const charges = [
      { key: 'a', quotas: [guesses, counted] },
      { key: 'b', quotas: [aDay, calls] },
    ]
    const all = () => consumeAll(database().db, charges, 1_000)
    expect(await all()).toEqual({
      allowed: true,
      taken: ['a|600|0', 'b|86400|0', 'a|60', 'b|60'],
    })
    for (let turn = 1; turn < 5; turn += 1) expect((await all()).allowed).toBe(true)
    expect(await all()).toEqual({ allowed: false, retryAfterSeconds: 600 })
    for (let turn = 5; turn < 33; turn += 1) await tryAt(1_000, [counted])
    expect(
      await consumeAll(database().db, [{ key: 'a', quotas: [counted] }, ...charges.slice(1)], 1_001),
    ).toEqual({
      allowed: false,
      retryAfterSeconds: 59,
    })
    let [slots, rest] = [0, 0]
    while (await allowedAt(1_001, [aDay], 'b')) slots += 1
    while (await allowedAt(1_001, [calls], 'b')) rest += 1
    expect([slots, rest]).toEqual([15, 295])
  })

  test('applies the limit of each counter', async () => {
    const few: Quota = { limit: 33, windowSeconds: 60 }
    const many: Quota = { limit: 35, windowSeconds: 60 }
    const charges = [
      { key: 'a', quotas: [many] },
      { key: 'b', quotas: [few] },
    ]
    for (let turn = 0; turn < 33; turn += 1) await consumeAll(database().db, charges, 1_000)
    expect(await consumeAll(database().db, charges, 1_010)).toEqual({ allowed: false, retryAfterSeconds: 50 })
    expect(await allowedAt(1_010, [few], 'b')).toBe(false)
    expect(await allowedAt(1_010, [many], 'a')).toBe(true)
    expect(await allowedAt(1_010, [many], 'a')).toBe(true)
    expect(await allowedAt(1_010, [many], 'a')).toBe(false)
  })

  test('allows an attempt without quotas', async () => {
    expect(await consumeAll(database().db, [], 1_000)).toEqual({ allowed: true, taken: [] })
  })

  test('computes the retry delay from slots in use only', async () => {
    for (let turn = 0; turn < 5; turn += 1) await tryAt(1_000 + 100 * turn, [guesses])
    expect(await tryAt(1_599, [guesses])).toEqual({ allowed: false, retryAfterSeconds: 1 })
    expect(await allowedAt(1_600, [guesses])).toBe(true)
    expect(await tryAt(1_601, [guesses])).toEqual({ allowed: false, retryAfterSeconds: 99 })
  })

  test('a counter counts, refuses, refunds, and starts again after its window', async () => {
    const answers = await Promise.all(Array.from({ length: 320 }, () => tryAt(1_000, [calls])))
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(300)
    expect(await tryAt(1_020, [calls])).toEqual({ allowed: false, retryAfterSeconds: 40 })
    const [first] = answers
    if (!first?.allowed) throw new Error('the first attempt is allowed')
    await refund(database().db, first.taken)
    expect(await allowedAt(1_020, [calls])).toBe(true)
    expect(await allowedAt(1_020, [calls])).toBe(false)
    expect(await allowedAt(1_060, [calls])).toBe(true)
  })

  test('slots of other keys do not affect the retry delay', async () => {
    for (const key of ['earlier', 'a', 'later']) {
      const second = { earlier: 900, a: 1_000, later: 1_005 }[key] ?? 0
      for (let turn = 0; turn < 5; turn += 1) await tryAt(second, [guesses], key)
    }
    expect(await tryAt(1_010, [guesses])).toEqual({ allowed: false, retryAfterSeconds: 590 })
  })

  test('a limit of 32 uses a sliding window, a limit of 33 a fixed window', async () => {
    const quota = (limit: number): Quota => ({ limit, windowSeconds: 600 })
    const countAllowed = async (limit: number) => {
      for (let turn = 1; turn < limit; turn += 1) await tryAt(1_000, [quota(limit)], `${limit}`)
      await tryAt(1_300, [quota(limit)], `${limit}`)
      let count = 0
      for (let turn = 0; turn < 40; turn += 1) {
        if (await allowedAt(1_600, [quota(limit)], `${limit}`)) count += 1
      }
      return count
    }
    expect(await countAllowed(32)).toBe(31)
    expect(await countAllowed(33)).toBe(33)
  })

  describe('a counter', () => {
    const few: Quota = { limit: 33, windowSeconds: 60 }
    const takeWhatIsLeft = async (nowSeconds: number, key?: string) => {
      let count = 0
      while (await allowedAt(nowSeconds, [few], key)) count += 1
      return count
    }

    test('a counter has its full limit again after the window', async () => {
      expect(await takeWhatIsLeft(1_000)).toBe(33)
      expect(await takeWhatIsLeft(1_060)).toBe(33)
    })

    test('a counter belongs to one key and window', async () => {
      expect(await takeWhatIsLeft(1_000, 'a')).toBe(33)
      expect(await takeWhatIsLeft(1_000, 'b')).toBe(33)
      expect(await allowedAt(1_000, [{ ...few, windowSeconds: 600 }], 'a')).toBe(true)
    })

    test('a refund keeps the window of a counter', async () => {
      await tryAt(1_000, [few])
      const second = await tryAt(1_000, [few])
      if (!second.allowed) throw new Error('there is room')
      await refund(database().db, second.taken)
      expect(await takeWhatIsLeft(1_050)).toBe(32)
      expect(await tryAt(1_050, [few])).toEqual({ allowed: false, retryAfterSeconds: 10 })
    })
  })
})

test('a rate limit error has its code and a retry delay', () => {
  expect(tooManyRequests(7)).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 7 })
})
