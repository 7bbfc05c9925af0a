import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { first, makeStage, second } from '../testing/stage.ts'
import { done, type FlowHandle } from './flow.ts'

async function holding(ms = 1_400) {
  const made = makeStage()
  const { handle, outcome } = made.begin(first)
  const flow = await handle
  const seen = watch(flow.hold(ms))
  return { ...made, flow, outcome, seen }
}

describe('a held screen', () => {
  test('stays visible for the hold time and is marked as held', async () => {
    const { clock, seen, view } = await holding()
    expect(view()).toMatchObject({ open: true, held: true })
    await clock.advance(1_399)
    expect(seen.settled).toBe(false)
    await clock.advance(1)
    expect(seen.settled).toBe(true)
    expect(view()).toMatchObject({ open: true, held: false })
  })

  test('ends at once when the user skips it, without ending the next hold', async () => {
    const { clock, flow, seen, stage, view } = await holding()
    stage.skip()
    await settle()
    expect(seen.settled).toBe(true)
    expect(view()?.held).toBe(false)
    expect(clock.waiting()).toEqual([])
    flow.replace(second)
    const next = watch(flow.hold(2_500))
    await clock.advance(2_499)
    expect(next.settled).toBe(false)
    expect(view()).toMatchObject({ screen: { name: 'SECOND' }, held: true })
  })

  test('cannot be skipped after the flow has shown another screen', async () => {
    const { flow, seen, stage, view } = await holding()
    flow.replace(second)
    expect(view()?.held).toBe(false)
    stage.skip()
    await settle()
    expect(seen.settled).toBe(false)
  })

  test('stays held after a change of its state', async () => {
    const { flow, view } = await holding()
    flow.update({ ...first, waits: true })
    expect(view()).toMatchObject({ held: true, screen: { waits: true } })
  })

  test('does not give way to another call before its own caller is settled', async () => {
    const { begin, clock, seen, name } = await holding()
    begin(second)
    await clock.advance(1_399)
    expect(name()).toBe('FIRST')
    expect(seen.settled).toBe(false)
  })
})

describe('a settled flow', () => {
  test('hands the card to a new call at once, without closing it', async () => {
    const { begin, clock, flow, frame, name, view } = await holding()
    flow.settle(done('early'))
    expect(name()).toBe('FIRST')
    const next = begin(second)
    await next.handle
    expect(view()).toMatchObject({
      open: true,
      screen: { name: 'SECOND' },
      direction: 'forward',
      held: false,
    })
    expect(flow.signal.aborted).toBe(true)
    await clock.advance(10_000)
    expect(name()).toBe('SECOND')
    expect(frame).toEqual(['show'])
  })

  test('hands the card to a call that already waits', async () => {
    const { begin, flow, name, outcome } = await holding()
    const next = begin(second)
    flow.settle(done('early'))
    await next.handle
    expect(outcome.value).toBe('early')
    expect(name()).toBe('SECOND')
  })

  test('holds its screen to the end if the waiting call is patient', async () => {
    const { clock, flow, frame, name, stage } = await holding()
    flow.settle(done('early'))
    void flow.hold(1_400).then(() => flow.end())
    const begun: FlowHandle<string>[] = []
    void stage.begin<string>((handle) => ({
      kind: 'login',
      isPatient: true,
      run() {
        begun.push(handle)
        handle.go(second)
      },
      onClose: () => done(''),
    }))
    await clock.advance(1_399)
    expect([name(), begun.length]).toEqual(['FIRST', 0])
    await clock.advance(1)
    expect(name()).toBe('SECOND')
    expect(frame).toEqual(['show'])
  })
})
