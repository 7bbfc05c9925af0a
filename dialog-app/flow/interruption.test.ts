import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { first, makeStage, second, verify } from '../testing/stage.ts'
import { done, type FlowHandle } from './flow.ts'

describe('an interrupted flow', () => {
  async function interrupted() {
    const made = makeStage()
    const base = made.begin()
    const flow = await base.handle
    flow.go(second)
    const started = Promise.withResolvers<FlowHandle<string>>()
    const answer = watch(flow.interrupt(made.makeFlow(verify, started.resolve, 'verification')))
    return { ...made, base, flow, answer, above: await started.promise }
  }

  test('receives the outcome and continues at its screen with its history', async () => {
    const { above, answer, name, stage, view } = await interrupted()
    expect(name()).toBe('VERIFY')
    above.end(done('verified'))
    await settle()
    expect(answer.value).toBe('verified')
    expect(view()).toMatchObject({ screen: { name: 'SECOND' }, direction: 'back', header: { back: true } })
    stage.back()
    expect(name()).toBe('FIRST')
  })

  test('can update its covered screen and shows the update afterwards', async () => {
    const { above, flow, name, view } = await interrupted()
    flow.update({ ...second, waits: true })
    expect(name()).toBe('VERIFY')
    above.end(done('verified'))
    expect(view()?.screen).toMatchObject({ name: 'SECOND', waits: true })
  })

  test('cannot use its screen until the interruption has ended', async () => {
    const { above, flow } = await interrupted()
    const inUse = () => [flow.isAt(second), flow.isUsable(second), above.isUsable(verify)]
    expect(inUse()).toEqual([true, false, true])
    above.end(done('verified'))
    expect(inUse()).toEqual([true, true, false])
  })

  test('keeps its timers running', async () => {
    const { above, clock, flow, name } = await interrupted()
    flow.after(100, () => flow.replace(first))
    above.after(50, () => above.end(done('verified')))
    await clock.advance(50)
    expect(name()).toBe('SECOND')
    await clock.advance(50)
    expect(name()).toBe('FIRST')
  })

  test('closes together with its interruptions, from the top down, each with its own error', async () => {
    const { answer, base, clock, events, flow, frame, makeFlow, name, stage, view } = await interrupted()
    const waiting = watch(flow.interrupt(makeFlow(first, () => {}, 'waiting')))
    stage.close()
    await settle()
    expect(name()).toBe('VERIFY')
    expect(waiting.error).toMatchObject({ message: 'closed waiting' })
    expect(answer.error).toMatchObject({ message: 'closed verification' })
    expect(base.outcome.error).toMatchObject({ message: 'closed login' })
    expect(view()?.open).toBe(false)
    await clock.advance(200)
    expect(frame).toEqual(['show', 'hide'])
    expect(events).toEqual(['modal_open login', 'modal_closed login'])
  })

  test('ends its interruption when it ends by itself', async () => {
    const { above, answer, base, flow } = await interrupted()
    flow.end(done('elsewhere'))
    await settle()
    expect(base.outcome.value).toBe('elsewhere')
    expect(answer.error).toMatchObject({ message: 'closed verification' })
    expect(above.signal.aborted).toBe(true)
  })

  test('runs one interruption at a time', async () => {
    const { above, flow, makeFlow, name } = await interrupted()
    const next = watch(flow.interrupt(makeFlow(first, (handle) => handle.after(10, () => {}), 'second')))
    expect(name()).toBe('VERIFY')
    above.end(done('verified'))
    await settle()
    expect(name()).toBe('FIRST')
    expect(next.settled).toBe(false)
  })

  test('is reached by the back button only if the interruption allows it', async () => {
    const { flow, above, name, stage, view } = await interrupted()
    expect(view()?.header.back).toBe(false)
    above.end(done('verified'))
    const answer = watch(
      flow.interrupt<string>((handle) => ({
        kind: 'verification',
        run: () => handle.go(verify),
        onClose: () => done('closed'),
        onBack: () => done('back'),
      })),
    )
    expect(view()?.header.back).toBe(true)
    stage.back()
    await settle()
    expect(answer.value).toBe('back')
    expect(name()).toBe('SECOND')
  })
})
