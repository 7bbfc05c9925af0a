import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../i18n/catalogue.ts'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { pressIn } from '../testing/press.ts'
import { watch } from '../testing/world.ts'
import type { ScreenLoading } from './card.ts'
import { done, type Flow, type FlowHandle, failed } from './flow.ts'
import { defineScreen, everyWay, noWay, screen, type Ways } from './screen.ts'
import { createStage } from './stage.ts'
import type { View } from './view.ts'

type Events = { readonly press: readonly [what: string] }
const makeScreen = (name: string, ways: Ways = everyWay) =>
  defineScreen<string, string, Events, object>({
    name,
    ways: () => ways,
    component: async () => () => null,
    texts: async () => catalogue({}, { ar: async () => ({}) }),
  })
const first = makeScreen('FIRST')
const second = makeScreen('SECOND')
const locked = makeScreen('LOCKED', noWay)
const verify = makeScreen('VERIFY')
await Promise.all([first, second, locked, verify].map(({ component }) => component.load()))

function setUp(options: { readonly loading?: ScreenLoading; readonly standalone?: boolean } = {}) {
  const clock = makeFakeClock()
  const frame: string[] = []
  const events: string[] = []
  const pressed: string[] = []
  const views: View[] = []
  let showing: () => Promise<void> = async () => {}
  const stage = createStage({
    clock,
    host: {
      show() {
        frame.push('show')
        return showing()
      },
      hide: () => void frame.push('hide'),
    },
    analytics: (name, payload) => void events.push(`${name} ${payload?.flow}`),
    standalone: options.standalone ?? false,
    loading: options.loading ?? { isLoaded: () => true, load: async () => {} },
    setView: (view) => void views.push(view),
  })

  /** A screen that notes what is pressed on it. */
  const on = (record: typeof first, state = '') =>
    screen(record, state, { press: (what) => void pressed.push(`${record.name} ${what}`) })

  /** A flow that begins at a screen and is then moved by the test. */
  function begin(record = first, more: { readonly signal?: AbortSignal; readonly kind?: string } = {}) {
    const started = Promise.withResolvers<FlowHandle<string>>()
    const outcome = watch(stage.begin(makeFlow(record, started.resolve, more.kind), more.signal))
    return { outcome, handle: started.promise }
  }
  const makeFlow =
    (record: typeof first, started: (handle: FlowHandle<string>) => void, kind = 'login'): Flow<string> =>
    (handle) => ({
      kind,
      run() {
        started(handle)
        handle.go(on(record))
      },
      onClose: () => failed(new LatchkeyError('exited_auth_flow', `closed ${kind}`)),
    })

  const view = () => views.at(-1)
  return {
    clock,
    frame,
    events,
    pressed,
    stage,
    on,
    begin,
    makeFlow,
    view,
    name: () => view()?.screen?.name,
    fail(show: () => Promise<void>) {
      showing = show
    },
    /** Presses on what is seen now, or on what was seen before. */
    press(what: string, seen = view()) {
      if (seen?.screen) pressIn(seen.screen, 'press', [what])
    },
  }
}

describe('a flow', () => {
  test('opens the card with its first screen, and closes it when it ends', async () => {
    const { begin, clock, frame, events, view } = setUp()
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

  test('that ends before it showed anything never opens the card', async () => {
    const { stage, frame, events } = setUp()
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

  test('that throws ends with what it threw', async () => {
    const { stage } = setUp()
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

  test('may tell its caller and keep the card for a while', async () => {
    const { begin, view } = setUp()
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

  test('acts no more after its end: no screen, no timer, no event', async () => {
    const { begin, clock, on, name, press, pressed, view } = setUp()
    const { handle } = begin()
    const flow = await handle
    const seen = view()
    flow.after(50, () => flow.go(on(second)))
    flow.end()
    flow.go(on(second))
    flow.after(50, () => flow.go(on(second)))
    press('late', seen)
    await clock.advance(100)
    expect(name()).toBe('FIRST')
    expect(pressed).toEqual([])
    expect(flow.signal.aborted).toBe(true)
    await clock.advance(100)
    expect(clock.waiting()).toEqual([])
  })

  test('hears what is pressed on its present screen, and not on one that is gone', async () => {
    const { begin, on, press, pressed, view } = setUp()
    const flow = await begin().handle
    const before = view()
    press('now')
    flow.go(on(second))
    press('gone', before)
    press('here')
    expect(pressed).toEqual(['FIRST now', 'SECOND here'])
  })
})

describe('the header', () => {
  // spec L2.2
  test('shows back only where there is somewhere to go', async () => {
    const { begin, on, stage, name, view } = setUp()
    const flow = await begin().handle
    expect(view()?.header).toEqual({ back: false, close: true })
    flow.go(on(second))
    expect(view()?.header).toEqual({ back: true, close: true })
    stage.back()
    expect(name()).toBe('FIRST')
    expect(view()).toMatchObject({ direction: 'back', header: { back: false } })
  })

  // spec L2.3
  test('never shows close in standalone mode', async () => {
    const { begin, on, stage, view } = setUp({ standalone: true })
    const { handle, outcome } = begin()
    const flow = await handle
    expect(view()?.header.close).toBe(false)
    flow.go(on(second))
    expect(view()?.header).toEqual({ back: true, close: false })
    stage.close()
    await settle()
    expect(outcome.settled).toBe(false)
  })

  // spec L2.4
  test('hides close while the dialog can not be closed', async () => {
    const { begin, on, stage, view } = setUp()
    const { handle, outcome } = begin()
    const flow = await handle
    flow.replace(on(locked))
    expect(view()?.header).toEqual({ back: false, close: false })
    stage.close()
    await settle()
    expect(outcome.settled).toBe(false)
    flow.replace(on(second))
    stage.close()
    await settle()
    expect(outcome.error).toMatchObject({ code: 'exited_auth_flow' })
  })
})

describe('a flow that is interrupted', () => {
  async function interrupted() {
    const made = setUp()
    const base = made.begin()
    const flow = await base.handle
    flow.go(made.on(second))
    const started = Promise.withResolvers<FlowHandle<string>>()
    const answer = watch(flow.interrupt(made.makeFlow(verify, started.resolve, 'verification')))
    return { ...made, base, flow, answer, above: await started.promise }
  }

  test('gets the outcome, and goes on where it was, with its way back', async () => {
    const { above, answer, name, stage, view } = await interrupted()
    expect(name()).toBe('VERIFY')
    above.end(done('verified'))
    await settle()
    expect(answer.value).toBe('verified')
    expect(view()).toMatchObject({ screen: { name: 'SECOND' }, direction: 'back', header: { back: true } })
    stage.back()
    expect(name()).toBe('FIRST')
  })

  test('changes unseen, and is seen changed afterwards', async () => {
    const { above, flow, name, on, view } = await interrupted()
    flow.update(on(second, 'changed'))
    expect(name()).toBe('VERIFY')
    above.end(done('verified'))
    expect(view()?.screen).toMatchObject({ name: 'SECOND', state: 'changed' })
  })

  test('hears nothing of what is pressed on it before it is back', async () => {
    const { above, press, pressed, views } = await interrupted().then((all) => ({ ...all, views: all.view }))
    press('answer')
    expect(pressed).toEqual(['VERIFY answer'])
    above.end(done('verified'))
    press('go on', views())
    expect(pressed).toEqual(['VERIFY answer', 'SECOND go on'])
  })

  test('keeps its timers', async () => {
    const { above, clock, flow, on, name } = await interrupted()
    flow.after(100, () => flow.replace(on(first)))
    above.after(50, () => above.end(done('verified')))
    await clock.advance(50)
    expect(name()).toBe('SECOND')
    await clock.advance(50)
    expect(name()).toBe('FIRST')
  })

  test('is closed with what stands above it, from the top, each with a code', async () => {
    const { answer, base, clock, frame, stage, view } = await interrupted()
    stage.close()
    await settle()
    expect(answer.error).toMatchObject({ message: 'closed verification' })
    expect(base.outcome.error).toMatchObject({ message: 'closed login' })
    expect(view()?.open).toBe(false)
    await clock.advance(200)
    expect(frame).toEqual(['show', 'hide'])
  })

  test('takes what stands above it along when it ends by itself', async () => {
    const { above, answer, base, flow } = await interrupted()
    flow.end(done('elsewhere'))
    await settle()
    expect(base.outcome.value).toBe('elsewhere')
    expect(answer.error).toMatchObject({ message: 'closed verification' })
    expect(above.signal.aborted).toBe(true)
  })

  test('is interrupted by one at a time', async () => {
    const { above, flow, makeFlow, name } = await interrupted()
    const next = watch(flow.interrupt(makeFlow(first, (handle) => handle.after(10, () => {}), 'second')))
    expect(name()).toBe('VERIFY')
    above.end(done('verified'))
    await settle()
    expect(name()).toBe('FIRST')
    expect(next.settled).toBe(false)
  })

  test('is returned to by back only where the interruption allows it', async () => {
    const { flow, above, name, on, stage, view } = await interrupted()
    expect(view()?.header.back).toBe(false)
    above.end(done('verified'))
    const answer = watch(
      flow.interrupt<string>((handle) => ({
        kind: 'verification',
        run: () => handle.go(on(verify)),
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

describe('a call that waits', () => {
  test('takes the card over from the one that ends, without a close in between', async () => {
    const { begin, clock, frame, name, view, views } = { ...setUp(), views: [] }
    const flow = await begin(first).handle
    const next = begin(second, { kind: 'approval' })
    await settle()
    expect(name()).toBe('FIRST')
    flow.end(done('value'))
    await next.handle
    expect(view()).toMatchObject({ open: true, screen: { name: 'SECOND' }, step: 2, direction: 'forward' })
    await clock.advance(1_000)
    expect(frame).toEqual(['show'])
    expect(views).toEqual([])
  })

  test('takes it over from one that the user closed, too', async () => {
    const { begin, name, stage, view } = setUp()
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
    const { begin, clock, frame, on, stage, view } = setUp()
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
    const { begin, clock, frame, name } = setUp()
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
    const { begin } = setUp()
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
    const { begin, view } = setUp()
    const host = new AbortController()
    const { handle, outcome } = begin(locked, { signal: host.signal })
    await handle
    host.abort(gone)
    await settle()
    expect(outcome.error).toBe(gone)
    expect(view()?.open).toBe(false)
  })

  test('is never shown what it waited for', async () => {
    const { begin, name, view } = setUp()
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
    const { begin, name } = setUp()
    const outcome = begin(first, { signal: AbortSignal.abort(gone) }).outcome
    await settle()
    expect(outcome.error).toBe(gone)
    expect(name()).toBeUndefined()
  })
})

describe('a frame that is lost', () => {
  test('ends whoever stands in it, and whoever comes after hears so too', async () => {
    const { begin, clock, fail, view } = setUp()
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

describe('a screen whose component is on its way', () => {
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
      ...setUp({ loading }),
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

  test('leaves the present one until it is there, and nothing on that one counts any more', async () => {
    const { begin, come, name, on, press, pressed, view } = loadingLater()
    const flow = await begin(first).handle
    expect(view()?.open ?? false).toBe(false)
    await come('FIRST')
    expect(view()).toMatchObject({ open: true, screen: { name: 'FIRST' } })
    flow.go(on(second))
    press('twice')
    expect(name()).toBe('FIRST')
    expect(view()?.header).toEqual({ back: false, close: true })
    await come('SECOND')
    expect(view()).toMatchObject({ screen: { name: 'SECOND' }, step: 2, header: { back: true } })
    expect(pressed).toEqual([])
  })

  test('is asked for once, and comes in its latest state', async () => {
    const { asked, begin, come, on, view } = loadingLater()
    const flow = await begin(first).handle
    flow.update(on(first, 'changed'))
    await come('FIRST')
    expect(asked).toEqual(['FIRST'])
    expect(view()?.screen?.state).toBe('changed')
  })

  test('and never comes ends its flow with a code', async () => {
    const { begin, stayAway, frame } = loadingLater()
    const { handle, outcome } = begin(first)
    await handle
    await stayAway('FIRST')
    expect(outcome.error).toMatchObject({ code: 'server_unreachable' })
    expect(frame).toEqual([])
  })

  test('and is not wanted any more disturbs nobody', async () => {
    const { begin, come, name, on, stayAway } = loadingLater()
    const { handle, outcome } = begin(first)
    await come('FIRST')
    const flow = await handle
    flow.go(on(second))
    flow.back()
    await stayAway('SECOND')
    expect(outcome.settled).toBe(false)
    expect(name()).toBe('FIRST')
  })
})
