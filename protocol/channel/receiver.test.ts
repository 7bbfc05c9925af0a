import * as fc from 'fast-check'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CallRows, ruleOfMethod } from './contract.ts'
import { createReceiver } from './receiver.ts'

const rows = { echo: { policy: 'headless', deadlineMs: 500 } } as const satisfies CallRows
const hears = { echo: v.object({ text: v.string() }) }
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
  const { receive } = createReceiver(rows, hears, { echo: ran }, ruleOfMethod)
  const errorOf = async (message: unknown) => (await receive(message)).error?.type
  return { ran, receive, errorOf }
}
/** What is answered without waiting is answered by now. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

afterEach(() => {
  vi.useRealTimers()
})

describe('ids', () => {
  it('are remembered beside each other, whatever was asked with them', async () => {
    const { errorOf } = makeReceiver()
    expect(await errorOf(request('first'))).toBeUndefined()
    expect(await errorOf(pulse('second'))).toBeUndefined()
    expect(await errorOf(request('third', { event: 'latchkey:nothing' }))).toBe('method_not_found')
    for (const id of ['first', 'second', 'third']) {
      expect(await errorOf(request(id))).toBe('message_replayed')
      expect(await errorOf(pulse(id))).toBe('message_replayed')
    }
  })

  it('are remembered 10,000 at a time, the newest ones', async () => {
    const { errorOf } = makeReceiver()
    for (let id = 0; id < 10_001; id += 1) expect(await errorOf(pulse(`${id}`))).toBeUndefined()
    expect(await errorOf(pulse('1'))).toBe('message_replayed')
    expect(await errorOf(pulse('10000'))).toBe('message_replayed')
    expect(await errorOf(pulse('0'))).toBeUndefined()
  })
})

describe('the pace', () => {
  it('lets twenty calls pass at once; the next ones run a twentieth of a second apart', async () => {
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

  it('refuses the 71st of calls at once, says when to come back, and takes it then', async () => {
    vi.useFakeTimers()
    const { errorOf, receive } = makeReceiver()
    const answers = Array.from({ length: 71 }, (_, index) => receive(request(`${index}`)))
    const last = await answers.at(-1)
    expect(last?.error).toMatchObject({ type: 'too_many_requests', retryAfterSeconds: 3 })
    await vi.advanceTimersByTimeAsync(3_000)
    expect((await answers.at(-2))?.error).toBeUndefined()
    expect(await errorOf(request('later'))).toBeUndefined()
  })

  it('holds up neither a pulse nor the taking back of a call', async () => {
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
  it('counts the names of fields, in bytes', async () => {
    const { errorOf } = makeReceiver()
    const named = (name: string) => ({ data: { text: 'x', [name]: 1 } })
    expect(await errorOf(request('small', named('n'.repeat(60_000))))).toBeUndefined()
    expect(await errorOf(request('large', named('n'.repeat(66_000))))).toBe('message_too_large')
  })

  it('counts every value, however small it is', async () => {
    const { errorOf } = makeReceiver()
    const many = (count: number) => ({ data: { text: 'x', more: Array(count).fill(null) } })
    expect(await errorOf(request('few', many(8_000)))).toBeUndefined()
    expect(await errorOf(request('many', many(8_200)))).toBe('message_too_large')
  })
})

describe('a request that is right in all but one thing', () => {
  const wrong = fc.oneof(
    fc.record({ v: fc.anything().filter((value) => value !== 1) }),
    fc.record({ id: fc.anything().filter((value) => typeof value !== 'string' || value.length > 64) }),
    fc.constant({ id: '' }),
    fc.record({ event: fc.anything().filter((value) => value !== 'latchkey:echo') }),
    fc.record({ data: fc.anything() }).filter(({ data }) => !v.is(hears.echo, data)),
    fc.record({ data: fc.record({ text: fc.anything().filter((value) => typeof value !== 'string') }) }),
  )

  it('runs no handler and is answered with an error; the right one runs', async () => {
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
