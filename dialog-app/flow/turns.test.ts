import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { first, locked, makeStage, second, verify } from '../testing/stage.ts'
import { done } from './flow.ts'

describe('a waiting call', () => {
  test('takes over the card from an ended call without closing it', async () => {
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

  test('takes over the card from a call that the user closed', async () => {
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

  test('lets the card close if it shows no screen within 150 ms', async () => {
    const { begin, clock, frame, stage, view } = makeStage()
    const flow = await begin(first).handle
    const ready = Promise.withResolvers<void>()
    void stage
      .begin<string>((handle) => ({
        kind: 'approval',
        async run() {
          await ready.promise
          handle.go(second)
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

  test('is shown after the closing animation of the card', async () => {
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

  test('is rejected if fifty calls already wait', async () => {
    const { begin } = makeStage()
    await begin().handle
    const waiting = Array.from({ length: 50 }, () => begin().outcome)
    const tooMany = begin().outcome
    await settle()
    expect(waiting.some(({ settled }) => settled)).toBe(false)
    expect(tooMany.error).toMatchObject({ code: 'too_many_requests' })
  })
})

describe('an aborted caller', () => {
  const gone = new LatchkeyError('call_cancelled', 'The host took the call back')

  test('ends its flow even on a screen that the user cannot close', async () => {
    const { begin, view } = makeStage()
    const host = new AbortController()
    const { handle, outcome } = begin(locked, { signal: host.signal })
    await handle
    host.abort(gone)
    await settle()
    expect(outcome.error).toBe(gone)
    expect(view()?.open).toBe(false)
  })

  test('ends its waiting call without showing it', async () => {
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

  test('starts no flow if it aborts before its turn', async () => {
    const { begin, name } = makeStage()
    const outcome = begin(first, { signal: AbortSignal.abort(gone) }).outcome
    await settle()
    expect(outcome.error).toBe(gone)
    expect(name()).toBeUndefined()
  })
})

describe('a flow that stays under other calls', () => {
  const standing = async () => {
    const fixture = makeStage({ standalone: true })
    void fixture.stage.begin<void>((handle) => ({
      kind: 'login',
      isPatient: true,
      isUnderOthers: true,
      run: () => handle.go(first),
      onClose: () => done(undefined),
    }))
    await settle()
    return fixture
  }

  test('is covered by a new call and shown again after that call ends', async () => {
    const { begin, name, view, stage } = await standing()
    const flow = await begin(second).handle
    await settle()
    expect(name()).toBe('SECOND')
    flow.end(done('value'))
    await settle()
    expect(name()).toBe('FIRST')
    expect(view()).toMatchObject({ open: true, header: { close: false } })
    stage.close()
    await settle()
    expect(name()).toBe('FIRST')
  })

  test('stays open when the user closes the call above it, which is rejected', async () => {
    const { begin, name, view, stage } = await standing()
    const call = begin(second, { kind: 'approval' })
    await call.handle
    await settle()
    expect(view()).toMatchObject({ header: { close: true } })
    stage.close()
    await settle()
    expect(call.outcome.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(name()).toBe('FIRST')
  })

  test('has one call above it at a time, and the next one once that call is settled', async () => {
    const { begin, name } = await standing()
    const flow = await begin(second).handle
    const next = begin(verify)
    await settle()
    expect(name()).toBe('SECOND')
    flow.settle(done('value'))
    await next.handle
    await settle()
    expect(name()).toBe('VERIFY')
  })
})
