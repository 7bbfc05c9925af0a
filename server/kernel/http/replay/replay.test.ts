import { LatchkeyError } from '@latchkey/protocol'
import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { testContext } from '../../../testing/context.ts'
import { tooManyRequests } from '../../attempts/attempts.ts'
import type { ServerContext } from '../../context.ts'
import { forEachEngine } from '../../db/test-engines.ts'
import { askLimits, leaseLimits, waitLimits } from '../../limits.ts'
import type { Trx } from '../../ports.ts'
import type { Ask, PreCheck, Steps } from '../steps.ts'
import { createWaits } from '../waits.ts'
import { answerOnce } from './replay.ts'
import { hashRequest, parseRequestId } from './request-id.ts'

const key = { appId: 'app', requestId: 'request-1', requestHash: 'hash' }
/** Longer than any lease, shorter than the retention of a row. */
const afterAllLeasesSeconds = 60

forEachEngine((database) => {
  type Reserved = { turn: number; before: number | null }
  type Outcome = { turn: number; answer: string | null }

  /**
   * Each reservation and decision leaves a row unless it was rolled back; other steps are counted. Transactions may run
   * again, so the number of their attempts is not compared.
   */
  const open = async () => {
    const context = await testContext(database())
    const counts = { reserved: 0, asked: 0, decided: 0, performed: 0, rendered: 0 }
    const marks = async (name: string) => {
      const rows = await context.db
        .selectFrom('attempts')
        .select('key')
        .where('key', 'like', `${name}%`)
        .execute()
      return rows.length
    }
    /** Returns the number of this row among those that were not rolled back. */
    const mark = async (trx: Trx, name: string) => {
      const { rows } = await sql<{ count: number }>`
        insert into attempts (key, window_start, count, expires_at)
        select ${`${name} ${crypto.randomUUID()}`}, 1, count(*) + 1, 9 from attempts where key like ${`${name}%`}
        returning count`.execute(trx)
      return rows[0]?.count ?? 0
    }
    const deciding: Steps<Reserved, string, Outcome> = {
      decide: async (trx, { answer }) => {
        counts.decided += 1
        return { turn: await mark(trx, 'decided'), answer: answer ?? null }
      },
      render: (outcome) => {
        counts.rendered += 1
        return { ...outcome, rendered: counts.rendered }
      },
    }
    const performing: typeof deciding = {
      ...deciding,
      perform: async () => {
        counts.performed += 1
      },
    }
    const asking = (run: Ask<Reserved, string>['run'], ask: Partial<Ask<Reserved, string>> = {}) => ({
      ...deciding,
      reserve: async (trx: Trx, before: Reserved | undefined) => {
        counts.reserved += 1
        return { turn: await mark(trx, 'reserved'), before: before?.turn ?? null }
      },
      ask: {
        repeatable: true,
        deadlineMs: 10_000,
        run: (reserved: Reserved, signal: AbortSignal) => {
          counts.asked += 1
          return run(reserved, signal)
        },
        ...ask,
      },
    })
    const answer = (steps: Steps<Reserved, string, Outcome>, change = {}, waitMs = 5_000) =>
      answerOnce(context, { ...key, ...change }, steps, { waitMs, pollFirstMs: 1, pollLongestMs: 20 })
    return { context, counts, deciding, performing, asking, answer, marks }
  }

  /** An ask that is pending until the test resolves it. */
  const createPendingAsk = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const started = Promise.withResolvers<void>()
    const run = () => {
      started.resolve()
      return promise
    }
    return { run, started: started.promise, resolve, reject }
  }
  const never = () => new Promise<never>(() => {})

  describe('without an ask', () => {
    test('a repeated id renders the outcome again without another change', async () => {
      const { answer, performing, counts, marks } = await open()
      expect(await answer(performing)).toEqual({ turn: 1, answer: null, rendered: 1 })
      expect(await answer(performing)).toEqual({ turn: 1, answer: null, rendered: 2 })
      expect(counts).toMatchObject({ performed: 1, rendered: 2 })
      expect(await marks('decided')).toBe(1)
    })

    test('ten parallel calls with one id decide once, perform once and get the same outcome', async () => {
      const { answer, performing, counts, marks } = await open()
      const answers = await Promise.all(Array.from({ length: 10 }, () => answer(performing)))
      expect(answers).toHaveLength(10)
      // A transaction may be retried after a conflict, so the turn that counts may be a later one.
      expect(new Set(answers.map((one) => Object(one).turn)).size).toBe(1)
      expect(await marks('decided')).toBe(1)
      expect(counts.performed).toBe(1)
    })

    test('rejects the id of another request, browser or session', async () => {
      const { answer, deciding, marks } = await open()
      await answer(deciding)
      const other = answer(deciding, { requestHash: 'other' })
      await expect(other).rejects.toMatchObject({
        code: 'invalid_data',
        details: { path: 'latchkey-request-id' },
      })
      expect(await marks('decided')).toBe(1)
    })

    test('apps have separate ids', async () => {
      const { answer, deciding, marks } = await open()
      await answer(deciding)
      await answer(deciding, { appId: 'another app' })
      expect(await marks('decided')).toBe(2)
    })

    test('an id can be reused after two minutes', async () => {
      const { answer, deciding, marks, context } = await open()
      await answer(deciding)
      context.clock.advanceSeconds(119)
      await answer(deciding)
      expect(await marks('decided')).toBe(1)
      context.clock.advanceSeconds(1)
      await answer(deciding, { requestHash: 'other' })
      expect(await marks('decided')).toBe(2)
    })

    test('a reused id returns its own failure, not the expired outcome', async () => {
      const { answer, deciding, context } = await open()
      await answer(deciding)
      context.clock.advanceSeconds(120)
      const failing = { ...deciding, decide: () => Promise.reject(new Error('a mistake of ours')) }
      await expect(answer(failing)).rejects.toThrow('a mistake of ours')
    })

    test('an exception is rolled back completely and may be decided again', async () => {
      const { answer, deciding, marks } = await open()
      const failing = {
        ...deciding,
        decide: async (trx: Trx) => {
          await deciding.decide?.(trx, { reserved: { turn: 0, before: null }, answer: '' })
          throw new LatchkeyError('disallowed_login_method', 'No')
        },
      }
      await expect(answer(failing)).rejects.toMatchObject({ code: 'disallowed_login_method' })
      expect(await marks('decided')).toBe(0)
      expect(await answer(deciding)).toMatchObject({ turn: 1 })
    })

    test('returns a failure that is an outcome again', async () => {
      const { answer, deciding, marks } = await open()
      const refusing = {
        ...deciding,
        render: () => {
          throw new LatchkeyError('invalid_credentials', 'Wrong code')
        },
      }
      await expect(answer(refusing)).rejects.toMatchObject({ code: 'invalid_credentials' })
      await expect(answer(refusing)).rejects.toMatchObject({ code: 'invalid_credentials' })
      expect(await marks('decided')).toBe(1)
    })

    test('every call without an id runs on its own', async () => {
      const { context, deciding, marks } = await open()
      await answerOnce(context, undefined, deciding)
      await answerOnce(context, undefined, deciding)
      expect(await marks('decided')).toBe(2)
    })
  })

  test('a call without an id runs all steps, each with the result of the previous one', async () => {
    const { context, asking, performing, marks, counts } = await open()
    const asked = { ...asking(async ({ turn }) => `answer to ${turn}`), perform: performing.perform }
    expect(await answerOnce(context, undefined, asked)).toMatchObject({ turn: 1, answer: 'answer to 1' })
    expect([await marks('reserved'), await marks('decided'), counts.performed]).toEqual([1, 1, 1])
    const failing = { ...performing, perform: () => Promise.reject(new Error('421 later')) }
    await expect(answerOnce(context, undefined, failing)).rejects.toThrow('421 later')
    const unasked: Steps<number, undefined, number> = {
      reserve: async () => 7,
      decide: async (_, { reserved }) => reserved + 1,
      render: (outcome) => outcome,
    }
    expect(await answerOnce(context, undefined, unasked)).toBe(8)
    expect(await answerOnce(context, key, unasked)).toBe(8)
  })

  describe('performing', () => {
    test('a retry performs a failed step once', async () => {
      const { answer, performing, counts, marks } = await open()
      const failing = { ...performing, perform: () => Promise.reject(new Error('421 later')) }
      await expect(answer(failing)).rejects.toThrow('421 later')
      expect(await answer(performing)).toMatchObject({ turn: 1 })
      expect(await answer(performing)).toMatchObject({ turn: 1 })
      expect(counts).toMatchObject({ performed: 1 })
      expect(await marks('decided')).toBe(1)
    })

    test('retries of several failed calls perform only their own step', async () => {
      const { answer, performing, counts } = await open()
      const failing = { ...performing, perform: () => Promise.reject(new Error('421 later')) }
      const calls = [{}, { requestId: 'request-2' }, { appId: 'another app' }]
      for (const call of calls) await expect(answer(failing, call)).rejects.toThrow('421 later')
      for (const [before, call] of calls.entries()) {
        await answer(performing, call)
        expect(counts.performed).toBe(before + 1)
      }
    })

    test('waits for a process that performs, and takes over after it died', async () => {
      const { answer, performing, counts, context, marks } = await open()
      const began = Promise.withResolvers<void>()
      const dying = {
        ...performing,
        perform: () => {
          began.resolve()
          return never()
        },
      }
      answer(dying)
      await began.promise
      await expect(answer(performing, {}, 50)).rejects.toMatchObject({ code: 'request_in_progress' })
      expect(counts.performed).toBe(0)
      context.clock.advanceSeconds(afterAllLeasesSeconds)
      const answers = await Promise.all(Array.from({ length: 5 }, () => answer(performing)))
      for (const one of answers) expect(one).toMatchObject({ turn: 1 })
      expect(counts).toMatchObject({ performed: 1 })
      expect(await marks('decided')).toBe(1)
    })
  })

  describe('asking', () => {
    test('passes the reservation to the ask and its answer to the decision, and repeats neither', async () => {
      const { answer, asking, counts, marks } = await open()
      const steps = asking(async ({ turn }) => `answer to ${turn}`)
      expect(await answer(steps)).toMatchObject({ turn: 1, answer: 'answer to 1' })
      expect(await answer(steps)).toMatchObject({ turn: 1, answer: 'answer to 1' })
      expect(counts).toMatchObject({ asked: 1 })
      expect(await marks('reserved')).toBe(1)
      expect(await marks('decided')).toBe(1)
    })

    test('a call may consist of an ask only', async () => {
      const { context, counts } = await open()
      const run = async () => {
        counts.asked += 1
      }
      const steps: Steps<undefined, void, undefined> = {
        ask: { repeatable: false, deadlineMs: 1_000, run },
        render: () => 'sent',
      }
      expect(await answerOnce(context, key, steps)).toBe('sent')
      expect(await answerOnce(context, key, steps)).toBe('sent')
      expect(await answerOnce(context, undefined, steps)).toBe('sent')
      expect(counts.asked).toBe(2)
    })

    test('parallel calls wait for the answer without holding a connection', async () => {
      const { answer, asking, counts, context, marks } = await open()
      const { run, started, resolve } = createPendingAsk()
      const steps = asking(run)
      const first = answer(steps)
      await started
      // More calls than connections.
      const twins = Array.from({ length: 40 }, () => answer(steps))
      for (let turn = 0; turn < 5; turn += 1) {
        await context.transaction((trx) => trx.selectFrom('apps').select('id').execute())
      }
      resolve('at last')
      for (const one of await Promise.all([first, ...twins])) {
        expect(one).toMatchObject({ turn: 1, answer: 'at last' })
      }
      expect(counts).toMatchObject({ asked: 1 })
      expect(await marks('reserved')).toBe(1)
      expect(await marks('decided')).toBe(1)
    })

    test('a call that waited too long gets a retry delay', async () => {
      const { answer, asking, counts } = await open()
      const { run, started, resolve } = createPendingAsk()
      const first = answer(asking(run, { deadlineMs: 5_000 }))
      await started
      await expect(answer(asking(run), {}, 30)).rejects.toMatchObject({
        code: 'request_in_progress',
        // The remaining lease: five seconds for the ask and ten to decide.
        retryAfterSeconds: 15,
      })
      resolve('late')
      expect(await first).toMatchObject({ answer: 'late' })
      expect(counts.asked).toBe(1)
    })

    test('a waiting retry counts as an open call, and the first call does not', async () => {
      const { context } = await open()
      const { run, started, resolve } = createPendingAsk()
      const steps: Steps<undefined, string, undefined> = {
        ask: { repeatable: true, deadlineMs: 5_000, run },
        render: () => 'sent',
      }
      const limits = { waitMs: 5_000, pollFirstMs: 1, pollLongestMs: 20 }
      const charged: string[] = []
      const hold = (of: string, limit: number) =>
        createWaits(async (what) => {
          if (charged.filter((one) => one === of).length >= limit) throw tooManyRequests(60)
          expect(what).toBe('waits')
          charged.push(of)
        })('203.0.113.1').hold
      const first = answerOnce(context, key, steps, limits, hold('first', 0))
      await started
      const twin = answerOnce(context, key, steps, limits, hold('twin', 9))
      const refused = answerOnce(context, key, steps, limits, hold('refused', 0))
      await expect(refused).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 60 })
      // A call after the response waits for nothing.
      await vi.waitFor(() => expect(charged).toEqual(['twin']), 4_000)
      resolve('answered')
      expect(await Promise.all([first, twin])).toEqual(['sent', 'sent'])
      expect(charged).toEqual(['twin'])
    })

    test('a call without a decision has a shorter retry delay', async () => {
      const { context } = await open()
      const { run, started, resolve } = createPendingAsk()
      const steps: Steps<undefined, string, undefined> = {
        ask: { repeatable: true, deadlineMs: 5_000, run },
        render: () => 'sent',
      }
      const first = answerOnce(context, key, steps)
      await started
      const twin = answerOnce(context, key, steps, { waitMs: 30, pollFirstMs: 1, pollLongestMs: 20 })
      // Five seconds for the ask and two to store the outcome.
      await expect(twin).rejects.toMatchObject({ code: 'request_in_progress', retryAfterSeconds: 7 })
      resolve('late')
      expect(await first).toBe('sent')
    })

    test('a late answer without a decision returns the stored outcome', async () => {
      const { context } = await open()
      const sending = (run: () => Promise<string>): Steps<undefined, string, undefined> => ({
        ask: { repeatable: true, deadlineMs: 5_000, run },
        render: () => 'sent',
      })
      const first = createPendingAsk()
      const cutOff = answerOnce(context, key, sending(first.run))
      await first.started
      context.clock.advanceSeconds(afterAllLeasesSeconds)
      const second = vi.fn(async () => 'second')
      expect(await answerOnce(context, key, sending(second))).toBe('sent')
      first.resolve('first')
      expect(await cutOff).toBe('sent')
      expect(second).toHaveBeenCalledTimes(1)
    })

    test('a rejected reservation leaves nothing and asks nothing', async () => {
      const { answer, asking, counts, context } = await open()
      const refusing = {
        ...asking(async () => 'answer'),
        reserve: () => Promise.reject(new LatchkeyError('too_many_requests', 'Slow down')),
      }
      await expect(answer(refusing)).rejects.toMatchObject({ code: 'too_many_requests' })
      expect(await context.db.selectFrom('request_replays').selectAll().execute()).toEqual([])
      expect(counts.asked).toBe(0)
    })
  })

  describe('a repeatable ask', () => {
    test('a failed repeatable ask is repeated by a retry, with the earlier reservation', async () => {
      const { answer, asking, counts, marks } = await open()
      const failing = asking(() => Promise.reject(new LatchkeyError('email_not_sent', 'No mail')))
      await expect(answer(failing)).rejects.toMatchObject({ code: 'email_not_sent' })
      const seen = vi.fn(async (reserved: Reserved) => `second, after ${reserved.before}`)
      expect(await answer(asking(seen))).toMatchObject({ answer: 'second, after 1' })
      expect(counts).toMatchObject({ asked: 2 })
      expect(await marks('reserved')).toBe(2)
      expect(await marks('decided')).toBe(1)
    })

    test('a repeated ask keeps its id for two more minutes', async () => {
      const { answer, asking, counts, context } = await open()
      const failing = asking(() => Promise.reject(new Error('421 later')))
      await expect(answer(failing)).rejects.toThrow('421 later')
      const steps = asking(async () => 'second')
      context.clock.advanceSeconds(119)
      await answer(steps)
      context.clock.advanceSeconds(119)
      await answer(steps)
      expect(counts.asked).toBe(2)
      context.clock.advanceSeconds(1)
      await answer(steps)
      expect(counts.asked).toBe(3)
    })

    test('a repeatable ask is aborted at its deadline and repeated by a retry', async () => {
      const { answer, asking, marks } = await open()
      const signals: AbortSignal[] = []
      const silent = asking(
        (_, signal) => {
          signals.push(signal)
          return never()
        },
        { deadlineMs: 20 },
      )
      await expect(answer(silent)).rejects.toMatchObject({ code: 'unavailable' })
      expect(signals[0]?.aborted).toBe(true)
      expect(await answer(asking(async () => 'second'))).toMatchObject({ answer: 'second' })
      expect(await marks('decided')).toBe(1)
    })

    test('an interrupted repeatable ask is repeated by one of the calls that find its lease expired', async () => {
      const { answer, asking, counts, context, marks } = await open()
      const first = createPendingAsk()
      const cutOff = answer(asking(first.run))
      await first.started
      context.clock.advanceSeconds(afterAllLeasesSeconds)
      const steps = asking(async ({ before }) => `second, after ${before}`)
      const answers = await Promise.all(Array.from({ length: 10 }, () => answer(steps)))
      for (const one of answers) expect(one).toMatchObject({ answer: 'second, after 1' })
      expect(counts).toMatchObject({ asked: 2 })
      expect(await marks('reserved')).toBe(2)
      expect(await marks('decided')).toBe(1)
      // The late first answer decides nothing; its call returns the stored outcome.
      first.resolve('first')
      expect(await cutOff).toMatchObject({ answer: 'second, after 1' })
      expect(await marks('decided')).toBe(1)
    })

    test('a repeatable ask is repeated if the decision was rolled back', async () => {
      const { answer, asking, counts, marks } = await open()
      const steps = asking(async () => 'answer')
      const failing = { ...steps, decide: () => Promise.reject(new Error('a mistake of ours')) }
      await expect(answer(failing)).rejects.toThrow('a mistake of ours')
      expect(await answer(steps)).toMatchObject({ answer: 'answer' })
      expect(counts).toMatchObject({ asked: 2 })
      expect(await marks('decided')).toBe(1)
    })
  })

  describe('a non-repeatable ask', () => {
    const unknown = { code: 'outcome_unknown' }
    const once = { repeatable: false } as const

    test('a failed non-repeatable ask has an unknown outcome from then on', async () => {
      const { answer, asking, counts, marks } = await open()
      const failing = asking(() => Promise.reject(new Error('socket hang up')), once)
      await expect(answer(failing)).rejects.toMatchObject(unknown)
      await expect(answer(asking(async () => 'second', once))).rejects.toMatchObject(unknown)
      expect(counts).toMatchObject({ asked: 1 })
      expect(await marks('reserved')).toBe(1)
      expect(await marks('decided')).toBe(0)
    })

    test('a non-repeatable ask without an answer in time stays unknown, even after a late answer', async () => {
      const { answer, asking, counts, marks } = await open()
      const { run, resolve } = createPendingAsk()
      await expect(answer(asking(run, { ...once, deadlineMs: 20 }))).rejects.toMatchObject(unknown)
      resolve('late')
      await expect(answer(asking(run, once))).rejects.toMatchObject(unknown)
      expect(counts).toMatchObject({ asked: 1 })
      expect(await marks('decided')).toBe(0)
    })

    test('an interrupted non-repeatable ask is unknown for every call after its lease', async () => {
      const { answer, asking, counts, context, marks } = await open()
      const { run, started, resolve } = createPendingAsk()
      const cutOff = answer(asking(run, once))
      await started
      await expect(answer(asking(run, once), {}, 30)).rejects.toMatchObject({ code: 'request_in_progress' })
      context.clock.advanceSeconds(afterAllLeasesSeconds)
      const answers = await Promise.allSettled(Array.from({ length: 5 }, () => answer(asking(run, once))))
      for (const one of answers) expect(one).toMatchObject({ status: 'rejected', reason: unknown })
      // The unknown outcome was reported, so the late answer must have no effect.
      resolve('late')
      await expect(cutOff).rejects.toMatchObject(unknown)
      expect(counts.asked).toBe(1)
      expect(await marks('decided')).toBe(0)
    })

    test('a non-repeatable ask is unknown to a retry if the decision was rolled back', async () => {
      const { answer, asking, counts } = await open()
      const steps = asking(async () => 'answer', once)
      const failing = { ...steps, decide: () => Promise.reject(new Error('a mistake of ours')) }
      await expect(answer(failing)).rejects.toThrow('a mistake of ours')
      await expect(answer(steps)).rejects.toMatchObject(unknown)
      expect(counts.asked).toBe(1)
    })

    test('a failed non-repeatable ask without a request id is unknown too', async () => {
      const { context, asking } = await open()
      const failing = asking(() => Promise.reject(new Error('socket hang up')), once)
      await expect(answerOnce(context, undefined, failing)).rejects.toMatchObject({
        ...unknown,
        cause: { message: 'socket hang up' },
      })
      const repeatable = asking(() => Promise.reject(new Error('socket hang up')))
      await expect(answerOnce(context, undefined, repeatable)).rejects.toThrow('socket hang up')
    })
  })

  test('a commit whose acknowledgement was lost still counts', async () => {
    const { context, asking, counts, answer, marks } = await open()
    const steps = {
      ...asking(async () => 'answer', { repeatable: false }),
      perform: async () => {
        counts.performed += 1
      },
    }
    let transactions = 0
    const transaction: ServerContext['transaction'] = async (work) => {
      const result = await context.transaction(work)
      transactions += 1
      // The second transaction is the decision. It is committed before the connection breaks.
      if (transactions === 2) throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
      return result
    }
    const cutOff = answerOnce({ ...context, transaction }, key, steps)
    await expect(cutOff).rejects.toMatchObject({ code: 'ECONNRESET' })
    context.clock.advanceSeconds(afterAllLeasesSeconds)
    expect(await answer(steps)).toMatchObject({ turn: 1, answer: 'answer' })
    expect(counts).toMatchObject({ asked: 1, performed: 1 })
    expect(await marks('decided')).toBe(1)
  })

  describe('a check before the call', () => {
    const refusal = { code: 'invalid_captcha', message: 'No.' } as const
    const checkedBy = (run: PreCheck['run']): { before: PreCheck } => ({
      before: { deadlineMs: 10_000, run },
    })

    test.each([true, false])(
      'a refusing check ends the call before any reservation, ask or decision (with a request id: %j)',
      async (hasId) => {
        const { context, asking, deciding, counts } = await open()
        for (const steps of [asking(async () => 'answer'), deciding]) {
          const refused = { ...steps, ...checkedBy(async () => refusal) }
          const id = hasId ? { ...key, requestId: `request-${'ask' in steps}` } : undefined
          await expect(answerOnce(context, id, refused)).rejects.toMatchObject(refusal)
        }
        expect(counts).toMatchObject({ reserved: 0, asked: 0, decided: 0 })
      },
    )

    test('a refusing check is not repeated for the same request', async () => {
      const { answer, deciding } = await open()
      let checks = 0
      const steps = {
        ...deciding,
        ...checkedBy(async () => {
          checks += 1
          return refusal
        }),
      }
      await expect(answer(steps)).rejects.toMatchObject(refusal)
      await expect(answer(steps)).rejects.toMatchObject(refusal)
      expect(checks).toBe(1)
    })

    test('a passing check runs first, and once for a repeated request', async () => {
      const { answer, asking, counts, marks } = await open()
      const reservedAtCheck: number[] = []
      const steps = {
        ...asking(async () => 'answer'),
        ...checkedBy(async () => {
          reservedAtCheck.push(counts.reserved)
          return undefined
        }),
      }
      expect(await answer(steps)).toMatchObject({ turn: 1, answer: 'answer' })
      expect(await answer(steps)).toMatchObject({ turn: 1, answer: 'answer' })
      expect(reservedAtCheck).toEqual([0])
      expect([await marks('reserved'), counts.asked, await marks('decided')]).toEqual([1, 1, 1])
    })

    test('an interrupted check is repeated with the same check id', async () => {
      const { answer, deciding, counts } = await open()
      const ids: string[] = []
      const steps = {
        ...deciding,
        ...checkedBy(async (checkId) => {
          ids.push(checkId)
          if (ids.length === 1) throw new Error('socket hang up')
          return undefined
        }),
      }
      await expect(answer(steps)).rejects.toThrow('socket hang up')
      expect(counts.decided).toBe(0)
      expect(await answer(steps)).toMatchObject({ turn: 1 })
      expect(new Set(ids).size).toBe(1)
      expect(ids).toHaveLength(2)
    })
  })

  test('a call adds one statement to its own, a call with an ask two', async () => {
    const { context, deciding, asking } = await open()
    const counted = countingStatements(context)
    await answerOnce(counted.context, key, deciding)
    // The row of the decision, and the row with the outcome.
    expect(counted.statements()).toBe(2)
    await answerOnce(
      counted.context,
      { ...key, requestId: 'request-2' },
      asking(async () => 'answer'),
    )
    // The row of the reservation and the request row; the row of the decision and the outcome.
    expect(counted.statements()).toBe(2 + 4)
  })
})

/** Counts results with a plugin, which also sees compiled queries. */
function countingStatements(context: ServerContext) {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count += 1
      return result
    },
  }
  const transaction: ServerContext['transaction'] = (work) =>
    context.transaction((trx) => work(trx.withPlugin(plugin)))
  return {
    context: { ...context, db: context.db.withPlugin(plugin), transaction },
    statements: () => count,
  }
}

test('the deadline of an ask is shorter than the wait of a retry and than its lease', () => {
  expect(waitLimits.waitMs).toBe(15_000)
  for (const deadlineMs of Object.values(askLimits)) expect(deadlineMs).toBeLessThan(15_000)
  for (const margin of [leaseLimits.decideMs, leaseLimits.keepMs]) expect(margin).toBeGreaterThan(0)
})

test('request hashes separate their parts', () => {
  expect(hashRequest(['POST', '/a', 'b'])).not.toBe(hashRequest(['POST', '/a\n1:b', '']))
  expect(hashRequest(['a', 'b'])).not.toBe(hashRequest(['a\nb']))
  expect(hashRequest(['a', 'b\nc'])).not.toBe(hashRequest(['a\nb', 'c']))
  expect(hashRequest(['a', 'b'])).not.toBe(hashRequest(['a', 'b', '']))
  expect(hashRequest(['a', undefined])).not.toBe(hashRequest(['a', '']))
  expect(hashRequest(['a', '-'])).not.toBe(hashRequest(['a', undefined]))
})

test('rejects a malformed request id', () => {
  for (const bad of ['', 'short', 'a'.repeat(65), 'with space', 'é'.repeat(10)]) {
    expect(() => parseRequestId(bad)).toThrow('Not a request id')
  }
  expect(parseRequestId(undefined)).toBeUndefined()
})
