import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { ServerContext } from '../context.ts'
import { forEachEngine } from '../db/test-engines.ts'
import type { Trx } from '../ports.ts'
import { testContext } from '../testing/context.ts'
import type { ReplaySteps } from './endpoint.ts'
import { answerOnce, hashOfRequest, type Performing, parseRequestId } from './replay.ts'

const key = { appId: 'app', requestId: 'request-1', requestHash: 'hash' }

forEachEngine((database) => {
  type Outcome = { readonly turn: number }

  /** Each decision leaves a row; each performance and answer is counted. */
  const open = async () => {
    const context = await testContext(database())
    const counts = { decided: 0, performed: 0, rendered: 0 }
    const steps: ReplaySteps<Outcome> = {
      decide: async (trx: Trx) => {
        counts.decided += 1
        const row = { key: `decided ${counts.decided}`, window_start: 1, count: 1, expires_at: 9 }
        await trx.insertInto('attempts').values(row).execute()
        return { turn: counts.decided }
      },
      perform: async () => {
        counts.performed += 1
      },
      render: ({ turn }) => {
        counts.rendered += 1
        return { turn, rendered: counts.rendered }
      },
    }
    const decisions = async () => (await context.db.selectFrom('attempts').select('key').execute()).length
    return { context, counts, steps, decisions, performing: new Map() as Performing }
  }
  const answer = (context: ServerContext, performing: Performing, steps: ReplaySteps<Outcome>, change = {}) =>
    answerOnce(context, performing, { ...key, ...change }, steps)

  test('a repeated id renders the outcome again and changes nothing again', async () => {
    const { context, steps, counts, performing, decisions } = await open()
    expect(await answer(context, performing, steps)).toEqual({ turn: 1, rendered: 1 })
    expect(await answer(context, performing, steps)).toEqual({ turn: 1, rendered: 2 })
    expect(counts).toEqual({ decided: 1, performed: 1, rendered: 2 })
    expect(await decisions()).toBe(1)
  })

  test('ten twins at once, on two processes, decide once', async () => {
    const { context, steps, performing, decisions } = await open()
    const other: Performing = new Map()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => answer(context, at % 2 ? performing : other, steps)),
    )
    expect(answers).toHaveLength(10)
    for (const one of answers) expect(one).toMatchObject({ turn: 1 })
    expect(await decisions()).toBe(1)
  })

  test('twins of one process perform once', async () => {
    const { context, steps, counts, performing } = await open()
    await Promise.all(Array.from({ length: 10 }, () => answer(context, performing, steps)))
    expect(counts.performed).toBe(1)
  })

  test('the id of another request is refused, and so is that of another browser or session', async () => {
    const { context, steps, performing, decisions } = await open()
    await answer(context, performing, steps)
    const other = answer(context, performing, steps, { requestHash: 'other' })
    await expect(other).rejects.toMatchObject({ code: 'invalid_data' })
    expect(await decisions()).toBe(1)
  })

  test('apps do not share ids', async () => {
    const { context, steps, performing, decisions } = await open()
    await answer(context, performing, steps)
    await answer(context, performing, steps, { appId: 'another app' })
    expect(await decisions()).toBe(2)
  })

  test('after two minutes an id is new again', async () => {
    const { context, steps, performing, decisions } = await open()
    await answer(context, performing, steps)
    context.clock.advanceSeconds(119)
    await answer(context, performing, steps)
    expect(await decisions()).toBe(1)
    context.clock.advanceSeconds(1)
    await answer(context, performing, steps, { requestHash: 'other' })
    expect(await decisions()).toBe(2)
  })

  test('what throws is rolled back whole and may be decided anew', async () => {
    const { context, steps, performing, decisions } = await open()
    const failing = {
      ...steps,
      decide: async (trx: Trx) => {
        await steps.decide(trx)
        throw new LatchkeyError('disallowed_login_method', 'No')
      },
    }
    await expect(answer(context, performing, failing)).rejects.toMatchObject({
      code: 'disallowed_login_method',
    })
    expect(await decisions()).toBe(0)
    expect(await answer(context, performing, steps)).toMatchObject({ turn: 2 })
  })

  test('a failure that is an outcome is told again', async () => {
    const { context, steps, performing, decisions } = await open()
    const refusing = {
      ...steps,
      render: () => {
        throw new LatchkeyError('invalid_credentials', 'Wrong code')
      },
    }
    await expect(answer(context, performing, refusing)).rejects.toMatchObject({ code: 'invalid_credentials' })
    await expect(answer(context, performing, refusing)).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await decisions()).toBe(1)
  })

  test('a process that dies before it performed is made up for by the repeated call', async () => {
    const { context, steps, counts, performing } = await open()
    const dying = { ...steps, perform: () => Promise.reject(new LatchkeyError('email_not_sent', 'No mail')) }
    await expect(answer(context, performing, dying)).rejects.toMatchObject({ code: 'email_not_sent' })
    expect(await answer(context, performing, steps)).toMatchObject({ turn: 1 })
    expect(await answer(context, performing, steps)).toMatchObject({ turn: 1 })
    expect(counts).toMatchObject({ decided: 1, performed: 1 })
  })

  test('without an id every call is its own', async () => {
    const { context, steps, decisions } = await open()
    await answerOnce(context, new Map(), undefined, steps)
    await answerOnce(context, new Map(), undefined, steps)
    expect(await decisions()).toBe(2)
  })
})

test('request hashes keep their parts apart', () => {
  expect(hashOfRequest(['POST', '/a', 'b'])).not.toBe(hashOfRequest(['POST', '/a\n1:b', '']))
  expect(hashOfRequest(['a', undefined])).not.toBe(hashOfRequest(['a', '']))
  expect(hashOfRequest(['a', '-'])).not.toBe(hashOfRequest(['a', undefined]))
})

test('a request id that is none is refused', () => {
  for (const bad of ['', 'short', 'a'.repeat(65), 'with space', 'é'.repeat(10)]) {
    expect(() => parseRequestId(bad)).toThrow('Not a request id')
  }
  expect(parseRequestId(undefined)).toBeUndefined()
})
