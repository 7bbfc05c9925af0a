import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { first, locked, makeStage, second } from '../testing/stage.ts'
import { done } from './flow.ts'

describe('a flow', () => {
  test('opens the card with its first screen and closes it at its end', async () => {
    const { begin, clock, frame, events, view } = makeStage()
    const { outcome, handle } = begin()
    await settle()
    expect(view()).toMatchObject({ open: true, screen: { name: 'FIRST' }, step: 1 })
    ;(await handle).end(done('value'))
    await settle()
    expect(outcome.value).toBe('value')
    expect(view()).toMatchObject({ open: false, screen: { name: 'FIRST' } })
    await clock.advance(200)
    expect(view()).toMatchObject({ open: false, screen: undefined })
    expect(frame).toEqual(['show', 'hide'])
    expect(events).toEqual(['modal_open login', 'modal_closed login'])
  })

  test('never opens the card if it ends without a screen', async () => {
    const { stage, frame, events } = makeStage()
    const outcome = watch(
      stage.begin<string>((handle) => ({
        kind: 'login',
        run: () => handle.end(done('at once')),
        onClose: () => done(''),
      })),
    )
    await settle()
    expect(outcome.value).toBe('at once')
    expect([...frame, ...events]).toEqual([])
  })

  test('rejects with the error that it throws', async () => {
    const { stage } = makeStage()
    const outcome = watch(
      stage.begin<string>(() => ({
        kind: 'login',
        run: () => Promise.reject(new LatchkeyError('must_be_authenticated', 'nobody')),
        onClose: () => done(''),
      })),
    )
    await settle()
    expect(outcome.error).toMatchObject({ code: 'must_be_authenticated' })
  })

  test('can settle its caller and keep the card open', async () => {
    const { begin, view } = makeStage()
    const { outcome, handle } = begin()
    const flow = await handle
    flow.settle(done('early'))
    await settle()
    expect(outcome.value).toBe('early')
    expect(view()?.open).toBe(true)
    flow.end()
    await settle()
    expect(outcome.value).toBe('early')
    expect(view()?.open).toBe(false)
  })

  test('has no effect after its end: no screen and no timer', async () => {
    const { begin, clock, name } = makeStage()
    const { handle } = begin()
    const flow = await handle
    flow.after(50, () => flow.go(second))
    flow.end()
    flow.go(second)
    flow.after(50, () => flow.go(second))
    await clock.advance(100)
    expect(name()).toBe('FIRST')
    expect(flow.isUsable(first)).toBe(false)
    expect(flow.signal.aborted).toBe(true)
    await clock.advance(100)
    expect(clock.waiting()).toEqual([])
  })

  test('has its present screen in use, but not a previous one', async () => {
    const flow = await makeStage().begin().handle
    const inUse = () => [flow.isUsable(first), flow.isUsable(second)]
    expect(inUse()).toEqual([true, false])
    flow.go(second)
    expect(inUse()).toEqual([false, true])
  })
})

describe('the header', () => {
  test('shows back only if there is a previous screen', async () => {
    const { begin, stage, name, view } = makeStage()
    const flow = await begin().handle
    expect(view()?.header).toEqual({ back: false, close: true })
    flow.go(second)
    expect(view()?.header).toEqual({ back: true, close: true })
    stage.back()
    expect(name()).toBe('FIRST')
    expect(view()).toMatchObject({ direction: 'back', header: { back: false } })
  })

  // spec L2.3
  test('never shows close in standalone mode', async () => {
    const { begin, stage, view } = makeStage({ standalone: true })
    const { handle, outcome } = begin()
    const flow = await handle
    expect(view()?.header.close).toBe(false)
    flow.go(second)
    expect(view()?.header).toEqual({ back: true, close: false })
    stage.close()
    await settle()
    expect(outcome.settled).toBe(false)
  })

  // spec L2.4
  test('hides close while the dialog can not be closed', async () => {
    const { begin, stage, view } = makeStage()
    const { handle, outcome } = begin()
    const flow = await handle
    flow.replace(locked)
    expect(view()?.header).toEqual({ back: false, close: false })
    stage.close()
    await settle()
    expect(outcome.settled).toBe(false)
    flow.replace(second)
    stage.close()
    await settle()
    expect(outcome.error).toMatchObject({ code: 'exited_auth_flow' })
  })
})
