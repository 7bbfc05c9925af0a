import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { first, locked, makeStage, second } from '../testing/stage.ts'
import type { ScreenLoading } from './card.ts'
import { done, type FlowHandle } from './flow.ts'

describe('a host that cannot show the frame', () => {
  test('rejects the present and the waiting call if the host cannot show the frame', async () => {
    const { begin, clock, fail, view } = makeStage()
    fail(() => Promise.reject(new LatchkeyError('client_destroyed', 'gone')))
    const calls = [begin(first), begin(locked)]
    await settle()
    expect(calls[0]?.outcome.error).toMatchObject({ code: 'client_destroyed' })
    await clock.advance(200)
    await settle()
    expect(calls[1]?.outcome.error).toMatchObject({ code: 'client_destroyed' })
    await clock.advance(200)
    expect(view()).toMatchObject({ open: false, screen: undefined })
  })
})

describe('a screen with a loading component', () => {
  function loadingLater() {
    const loaded = new Set<string>()
    const asked: string[] = []
    const waiting = new Map<string, PromiseWithResolvers<void>>()
    const loading: ScreenLoading = {
      isLoaded: ({ name }) => loaded.has(name),
      load({ name }) {
        asked.push(name)
        const load = Promise.withResolvers<void>()
        waiting.set(name, load)
        return load.promise
      },
    }
    return {
      ...makeStage({ loading }),
      asked,
      async come(name: string) {
        loaded.add(name)
        waiting.get(name)?.resolve()
        await settle()
      },
      async stayAway(name: string) {
        waiting.get(name)?.reject(new LatchkeyError('server_unreachable', 'no line'))
        await settle()
      },
    }
  }

  test('keeps the present screen visible but inactive until the next component has loaded', async () => {
    const { begin, come, name, view } = loadingLater()
    const flow = await begin(first).handle
    expect(view()?.open ?? false).toBe(false)
    await come('FIRST')
    expect(view()).toMatchObject({ open: true, screen: { name: 'FIRST' } })
    flow.go(second)
    expect(flow.isUsable(first)).toBe(false)
    expect(flow.isUsable(second)).toBe(false)
    expect(name()).toBe('FIRST')
    expect(view()?.header).toEqual({ back: false, close: true })
    await come('SECOND')
    expect(view()).toMatchObject({ screen: { name: 'SECOND' }, step: 2, header: { back: true } })
  })

  test('loads its component once and is shown in its latest state', async () => {
    const { asked, begin, come, view } = loadingLater()
    const flow = await begin(first).handle
    flow.update({ ...first, waits: true })
    await come('FIRST')
    expect(asked).toEqual(['FIRST'])
    expect(view()?.screen?.waits).toBe(true)
  })

  test('keeps the card of the previous flow open until its component has loaded', async () => {
    const { begin, clock, come, frame, name, view } = loadingLater()
    const flow = await begin(first).handle
    await come('FIRST')
    flow.settle(done('value'))
    begin(second)
    await clock.advance(10_000)
    expect(view()).toMatchObject({ open: true, screen: { name: 'FIRST' }, header: { close: true } })
    await come('SECOND')
    expect(name()).toBe('SECOND')
    expect(frame).toEqual(['show'])
  })

  // Regression: a standalone page stayed blank, because the account screen opened while the login's card closed.
  test('loads after the closing animation if it is opened while the card closes', async () => {
    const { asked, begin, clock, come, stage, view } = loadingLater()
    const flow = await begin(first).handle
    await come('FIRST')
    const next = Promise.withResolvers<FlowHandle<void>>()
    stage.begin<void>((handle) => ({
      kind: 'login',
      run: () => next.resolve(handle),
      onClose: () => done(undefined),
    }))
    flow.end(done('value'))
    await clock.advance(150)
    expect(view()?.open).toBe(false)
    ;(await next.promise).go(second)
    await clock.advance(200)
    expect(asked).toEqual(['FIRST', 'SECOND'])
    await come('SECOND')
    expect(view()).toMatchObject({ open: true, screen: { name: 'SECOND' } })
  })

  test('rejects the call with a code if its component fails to load', async () => {
    const { begin, stayAway, frame } = loadingLater()
    const { handle, outcome } = begin(first)
    await handle
    await stayAway('FIRST')
    expect(outcome.error).toMatchObject({ code: 'server_unreachable' })
    expect(frame).toEqual([])
  })

  test('is ignored if it fails to load after the flow has left it', async () => {
    const { begin, come, name, stayAway } = loadingLater()
    const { handle, outcome } = begin(first)
    await come('FIRST')
    const flow = await handle
    flow.go(second)
    flow.back()
    await stayAway('SECOND')
    expect(outcome.settled).toBe(false)
    expect(name()).toBe('FIRST')
  })
})
