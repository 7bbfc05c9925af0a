import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { first, locked, makeStage, second } from '../testing/stage.ts'
import { done } from './flow.ts'

describe('a call that waits', () => {
  test('takes the card over from the one that ends, without a close in between', async () => {
    const { begin, clock, frame, name, view } = makeStage()
    const flow = await begin(first).handle
    const next = begin(second, { kind: 'approval' })
    await settle()
    expect(name()).toBe('FIRST')
    flow.end(done('value'))
    await next.handle
    expect(view()).toMatchObject({ open: true, screen: { name: 'SECOND' }, step: 2, direction: 'forward' })
    await clock.advance(1_000)
    expect(frame).toEqual(['show'])
  })

  test('takes it over from one that the user closed, too', async () => {
    const { begin, name, stage, view } = makeStage()
    const closed = begin(first)
    await closed.handle
    const next = begin(second)
    stage.close()
    await next.handle
    expect(closed.outcome.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(name()).toBe('SECOND')
    expect(view()?.open).toBe(true)
  })

  test('that has nothing to show yet does not keep the card for long', async () => {
    const { begin, clock, frame, on, stage, view } = makeStage()
    const flow = await begin(first).handle
    const ready = Promise.withResolvers<void>()
    void stage
      .begin<string>((handle) => ({
        kind: 'approval',
        async run() {
          await ready.promise
          handle.go(on(second))
        },
        onClose: () => done(''),
      }))
      .catch(() => {})
    flow.end(done('value'))
    expect(view()).toMatchObject({ open: true, header: { back: false, close: false } })
    await clock.advance(149)
    expect(view()?.open).toBe(true)
    await clock.advance(1)
    expect(view()?.open).toBe(false)
    ready.resolve()
    await settle()
    await clock.advance(200)
    expect(view()).toMatchObject({ open: true, screen: { name: 'SECOND' } })
    expect(frame).toEqual(['show', 'hide', 'show'])
  })

  test('while the card goes is shown after it', async () => {
    const { begin, clock, frame, name } = makeStage()
    const flow = await begin(first).handle
    flow.end(done('value'))
    begin(second)
    await clock.advance(199)
    expect(name()).toBe('FIRST')
    await clock.advance(1)
    expect(name()).toBe('SECOND')
    expect(frame).toEqual(['show', 'hide', 'show'])
  })

  test('is one of fifty at most', async () => {
    const { begin } = makeStage()
    await begin().handle
    const waiting = Array.from({ length: 50 }, () => begin().outcome)
    const tooMany = begin().outcome
    await settle()
    expect(waiting.some(({ settled }) => settled)).toBe(false)
    expect(tooMany.error).toMatchObject({ code: 'too_many_requests' })
  })
})

describe('a caller that is gone', () => {
  const gone = new LatchkeyError('call_cancelled', 'The host took the call back')

  test('takes its flow along, whatever its screen allows', async () => {
    const { begin, view } = makeStage()
    const host = new AbortController()
    const { handle, outcome } = begin(locked, { signal: host.signal })
    await handle
    host.abort(gone)
    await settle()
    expect(outcome.error).toBe(gone)
    expect(view()?.open).toBe(false)
  })

  test('is never shown what it waited for', async () => {
    const { begin, name, view } = makeStage()
    const flow = await begin(first).handle
    const host = new AbortController()
    const waiting = begin(second, { signal: host.signal })
    host.abort(gone)
    flow.end(done('value'))
    await settle()
    expect(waiting.outcome.error).toBe(gone)
    expect(name()).toBe('FIRST')
    expect(view()?.open).toBe(false)
  })

  test('before its turn came begins nothing', async () => {
    const { begin, name } = makeStage()
    const outcome = begin(first, { signal: AbortSignal.abort(gone) }).outcome
    await settle()
    expect(outcome.error).toBe(gone)
    expect(name()).toBeUndefined()
  })
})
