import * as fc from 'fast-check'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LatchkeyError } from '../errors/errors.ts'
import { settle } from '../testing/boundary.ts'
import { type CallContext, type CallRows, getMethodRule } from './contract.ts'
import { type AnyHandlers, createRateLimiter, createReceiver } from './receiver.ts'

const rows = {
  echo: { policy: 'headless', deadlineMs: 500 },
  person: { policy: 'needs-user' },
} as const satisfies CallRows
const receives = { echo: v.object({ text: v.string() }), person: v.object({}) }
const request = (id: string, part: object = {}) => ({
  v: 1,
  id,
  event: 'latchkey:echo',
  data: { text: 'x' },
  ...part,
})
const pulse = (id: string) => request(id, { event: 'latchkey:pulse' })

function makeReceiver() {
  const ran = vi.fn(() => ({ text: 'ran' }))
  const { receive } = createReceiver(rows, receives, { echo: ran }, getMethodRule)
  const errorOf = async (message: unknown) => (await receive(message)).error?.type
  return { ran, receive, errorOf }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('ids', () => {
  it('are remembered across all events', async () => {
    const { errorOf } = makeReceiver()
    expect(await errorOf(request('first'))).toBeUndefined()
    expect(await errorOf(pulse('second'))).toBeUndefined()
    expect(await errorOf(request('third', { event: 'latchkey:nothing' }))).toBe('method_not_found')
    for (const id of ['first', 'second', 'third']) {
      expect(await errorOf(request(id))).toBe('message_replayed')
      expect(await errorOf(pulse(id))).toBe('message_replayed')
    }
  })

  it('are remembered up to the newest 10,000', async () => {
    const { errorOf } = makeReceiver()
    for (let id = 0; id < 10_001; id += 1) expect(await errorOf(pulse(`${id}`))).toBeUndefined()
    expect(await errorOf(pulse('1'))).toBe('message_replayed')
    expect(await errorOf(pulse('10000'))).toBe('message_replayed')
    expect(await errorOf(pulse('0'))).toBeUndefined()
  })
})

describe('an answer', () => {
  it('to an invalid request has an empty id and event, and only the set error fields', async () => {
    const { receive } = makeReceiver()
    expect(await receive('rubbish')).toStrictEqual({
      id: '',
      event: '',
      error: { type: 'invalid_message_envelope', message: expect.any(String), details: { path: '' } },
    })
    expect(await receive(request('other', { event: 'latchkey:nothing' }))).toStrictEqual({
      id: 'other',
      event: 'latchkey:nothing',
      error: { type: 'method_not_found', message: expect.any(String) },
    })
  })

  it('to an unsupported version lists the supported ones', async () => {
    const { receive } = makeReceiver()
    const { error } = await receive(request('later', { v: 2 }))
    expect(error).toMatchObject({ type: 'unsupported_protocol', details: { supported: [1, 1] } })
  })

  it('is sent for ids of up to 64 characters', async () => {
    const { errorOf } = makeReceiver()
    expect(await errorOf(request('i'.repeat(64)))).toBeUndefined()
    expect(await errorOf(request('i'.repeat(65)))).toBe('invalid_message_envelope')
  })

  it.each<[string, object, object, AnyHandlers]>([
    ['the contract', {}, receives, { echo: () => 1 }],
    ['what this side hears', rows, {}, { echo: () => 1 }],
    ['what this side does', rows, receives, {}],
  ])('to a call that is missing in %s is method_not_found', async (_name, ofContract, heard, done) => {
    const { receive } = createReceiver({ ...ofContract }, { ...heard }, done, getMethodRule)
    expect((await receive(request('1'))).error?.type).toBe('method_not_found')
  })
})

describe('a running call', () => {
  function running(name: 'echo' | 'person') {
    const signals: AbortSignal[] = []
    const done = Promise.withResolvers<unknown>()
    const handle = (_data: unknown, { signal }: CallContext) => {
      signals.push(signal)
      return done.promise
    }
    const receiver = createReceiver(rows, receives, { echo: handle, person: handle }, getMethodRule)
    const answer = receiver.receive(request('1', { event: `latchkey:${name}` }))
    const outcome = { now: 'waiting' }
    answer.then(({ error }) => {
      outcome.now = error?.type ?? 'answered'
    })
    return { ...receiver, signals, done, answer, outcome }
  }

  it('is aborted after 30 minutes if it waits for the user, and otherwise left to its caller', async () => {
    vi.useFakeTimers()
    const [person, headless] = [running('person'), running('echo')]
    await vi.advanceTimersByTimeAsync(30 * 60_000 - 1)
    expect(person.outcome.now).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    await vi.advanceTimersByTimeAsync(1)
    expect([person.outcome.now, headless.outcome.now]).toEqual(['call_timeout', 'waiting'])
  })

  it('leaves no timer and nothing to cancel when it ends', async () => {
    vi.useFakeTimers()
    const { receive, signals, done, outcome } = running('person')
    done.resolve({})
    await settle()
    expect([outcome.now, vi.getTimerCount()]).toEqual(['answered', 0])
    await receive(request('2', { event: 'latchkey:cancel', data: { id: '1' } }))
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  it('is cancelled by its id only', async () => {
    const { receive, outcome } = running('echo')
    const cancel = async (id: string, data: unknown) =>
      (await receive(request(id, { event: 'latchkey:cancel', data }))).error?.type
    expect(await cancel('2', { id: 'another' })).toBeUndefined()
    expect(await cancel('3', {})).toBe('invalid_data')
    await settle()
    expect(outcome.now).toBe('waiting')
    expect(await cancel('4', { id: '1' })).toBeUndefined()
    await new Promise((resolve) => setTimeout(resolve))
    expect(outcome.now).toBe('call_cancelled')
  })

  it('of a closed document is aborted and its answer is dropped', async () => {
    const { abortAll, receive, signals, outcome } = running('echo')
    const gone = new LatchkeyError('frame_reloaded', 'Gone')
    await settle()
    abortAll(gone)
    await settle()
    expect([outcome.now, signals.map(({ reason }) => reason)]).toEqual(['waiting', [gone]])
    expect((await receive(pulse('2'))).error).toBeUndefined()
  })
})

describe('the rate limit', () => {
  it('runs a queued call exactly when its 50 ms slot starts', () => {
    let now = 0
    const turn = createRateLimiter(() => now)
    for (let call = 0; call < 20; call += 1) expect(turn()).toBeUndefined()
    now = 49
    expect(turn()).toBeInstanceOf(Promise)
    now = 100
    expect(turn()).toBeUndefined()
  })

  it('lets twenty calls pass immediately and spaces further ones by 50 ms', async () => {
    vi.useFakeTimers()
    const { ran, receive } = makeReceiver()
    const answers = Array.from({ length: 23 }, (_, index) => receive(request(`${index}`)))
    await settle()
    expect(ran).toHaveBeenCalledTimes(20)
    for (const calls of [21, 22, 23]) {
      await vi.advanceTimersByTimeAsync(49)
      expect(ran).toHaveBeenCalledTimes(calls - 1)
      await vi.advanceTimersByTimeAsync(1)
      expect(ran).toHaveBeenCalledTimes(calls)
    }
    for (const answer of answers) expect((await answer).error).toBeUndefined()
  })

  it('rejects the 71st simultaneous call with a retry time and accepts it then', async () => {
    vi.useFakeTimers()
    const { errorOf, receive } = makeReceiver()
    const answers = Array.from({ length: 71 }, (_, index) => receive(request(`${index}`)))
    const last = await answers.at(-1)
    expect(last?.error).toMatchObject({ type: 'too_many_requests', retryAfterSeconds: 3 })
    await vi.advanceTimersByTimeAsync(3_000)
    expect((await answers.at(-2))?.error).toBeUndefined()
    expect(await errorOf(request('later'))).toBeUndefined()
  })

  it('of reads is separate: five hundred pass immediately without delaying other calls', async () => {
    vi.useFakeTimers()
    const ran = vi.fn(() => ({ text: 'ran' }))
    const own = { ...rows, read: { policy: 'headless', deadlineMs: 20_000, queue: 'reads' } as const }
    const schemas = { ...receives, read: receives.echo }
    const { receive } = createReceiver(own, schemas, { echo: ran, read: ran }, getMethodRule)
    const read = (id: number) => receive(request(`read ${id}`, { event: 'latchkey:read' }))
    const reads = Array.from({ length: 1_001 }, (_, id) => read(id))
    await settle()
    expect(ran).toHaveBeenCalledTimes(500)
    expect((await receive(request('a call'))).error).toBeUndefined()
    expect((await reads.at(-1))?.error).toMatchObject({ type: 'too_many_requests' })
    await vi.advanceTimersByTimeAsync(1_000)
    for (const answer of reads.slice(0, 1_000)) expect((await answer).error).toBeUndefined()
  })

  it('does not run queued calls that were cancelled', async () => {
    vi.useFakeTimers()
    const { ran, errorOf, receive } = makeReceiver()
    const answers = Array.from({ length: 22 }, (_, index) => receive(request(`${index}`)))
    await settle()
    await errorOf(request('cancel', { event: 'latchkey:cancel', data: { id: '20' } }))
    await vi.advanceTimersByTimeAsync(1)
    expect((await answers[20])?.error?.type).toBe('call_cancelled')
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await answers[21])?.error).toBeUndefined()
    expect(ran).toHaveBeenCalledTimes(21)
  })

  it('does not delay pulses or cancellations', async () => {
    vi.useFakeTimers()
    const { errorOf, receive } = makeReceiver()
    const waiting = Array.from({ length: 30 }, (_, index) => receive(request(`${index}`)))
    expect(await errorOf(pulse('pulse'))).toBeUndefined()
    expect(await errorOf(request('cancel', { event: 'latchkey:cancel', data: { id: '0' } }))).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1_000)
    await Promise.all(waiting)
  })
})

describe('the size of a message', () => {
  it('includes field names, in bytes', async () => {
    const { errorOf } = makeReceiver()
    const named = (name: string) => ({ data: { text: 'x', [name]: 1 } })
    expect(await errorOf(request('small', named('n'.repeat(60_000))))).toBeUndefined()
    expect(await errorOf(request('large', named('n'.repeat(66_000))))).toBe('message_too_large')
  })

  it('includes every value, however small', async () => {
    const { errorOf } = makeReceiver()
    const many = (count: number) => ({ data: { text: 'x', more: Array(count).fill(null) } })
    expect(await errorOf(request('few', many(8_000)))).toBeUndefined()
    expect(await errorOf(request('many', many(8_200)))).toBe('message_too_large')
  })
})

describe('data', () => {
  const more = (value: unknown) => ({ data: { text: 'x', more: value } })
  const lists = (levels: number): unknown => (levels === 0 ? 'x' : [lists(levels - 1)])

  it('is limited to exactly 64 KB: 8 bytes per value plus the size of bigints', async () => {
    const { errorOf } = makeReceiver()
    const left = 65_536 - 8 - (4 + 8 + 1) - (4 + 8)
    const bigint = (bytes: number) => more((1n << BigInt(8 * bytes)) - 1n)
    expect(await errorOf(request('fits', bigint(left)))).toBeUndefined()
    expect(await errorOf(request('over', bigint(left + 1)))).toBe('message_too_large')
  })

  it.each([
    ['a flag', true],
    ['nothing', null],
    ['an object without a prototype', Object.create(null)],
    ['lists, 15 in each other', lists(15)],
  ])('may be %s', async (name, value) => {
    const { errorOf } = makeReceiver()
    expect(await errorOf(request(name, more(value)))).toBeUndefined()
  })

  it.each([
    ['a function', () => 1],
    ['a function that hides what it is', Object.setPrototypeOf(() => 1, null)],
    ['a symbol', Symbol('x')],
    ['an object of a class', new (class Own {})()],
  ])('may not be %s', async (name, value) => {
    const { errorOf } = makeReceiver()
    expect(await errorOf(request(name, more(value)))).toBe('invalid_message_envelope')
  })
})

describe('a request that is valid except for one detail', () => {
  const wrong = fc.oneof(
    fc.record({ v: fc.anything().filter((value) => value !== 1) }),
    fc.record({ id: fc.anything().filter((value) => typeof value !== 'string' || value.length > 64) }),
    fc.constant({ id: '' }),
    fc.record({ event: fc.anything().filter((value) => value !== 'latchkey:echo') }),
    fc.record({ data: fc.anything() }).filter(({ data }) => !v.is(receives.echo, data)),
    fc.record({ data: fc.record({ text: fc.anything().filter((value) => typeof value !== 'string') }) }),
  )

  it('runs no handler and gets an error, while the valid one runs', async () => {
    let id = 0
    await fc.assert(
      fc.asyncProperty(wrong, async (part) => {
        const { ran, errorOf } = makeReceiver()
        expect(await errorOf(request(`id-${++id}`, part))).toBeTypeOf('string')
        expect(ran).not.toHaveBeenCalled()
        expect(await errorOf(request(`id-${++id}`))).toBeUndefined()
        expect(ran).toHaveBeenCalledOnce()
      }),
      { numRuns: 1_000 },
    )
  })
})
