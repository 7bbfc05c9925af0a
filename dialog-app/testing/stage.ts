/** A stage with flows that tests control. */
import { LatchkeyError } from '@latchkey/protocol'
import { catalogue } from '@latchkey/protocol/texts'
import type { ScreenLoading } from '../flow/card.ts'
import { type Flow, type FlowHandle, failed } from '../flow/flow.ts'
import { defineScreen, everyWay, noWay, screen, type Ways } from '../flow/screen.ts'
import { createStage } from '../flow/stage.ts'
import type { View } from '../flow/view.ts'
import { makeFakeClock } from './clock.ts'
import { watch } from './fixture.ts'
import { pressIn } from './read-screen.ts'

type Events = { press: readonly [what: string] }
const makeScreen = (name: string, ways: Ways = everyWay) =>
  defineScreen<string, string, Events, object>({
    name,
    ways: () => ways,
    component: async () => () => null,
    texts: async () => catalogue({}, { ar: async () => ({}) }),
  })
export const first = makeScreen('FIRST')
export const second = makeScreen('SECOND')
export const locked = makeScreen('LOCKED', noWay)
export const verify = makeScreen('VERIFY')
await Promise.all([first, second, locked, verify].map(({ component }) => component.load()))

type Options = {
  loading?: ScreenLoading
  standalone?: boolean
  setView?: (view: View) => void
}

export function makeStage(options: Options = {}) {
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
      drawn: () => {},
      hide: () => void frame.push('hide'),
    },
    analytics: (name, payload) => void events.push(`${name} ${payload?.flow}`),
    standalone: options.standalone ?? false,
    loading: options.loading ?? { isLoaded: () => true, load: async () => {} },
    setView(view) {
      views.push(view)
      options.setView?.(view)
    },
  })

  /** A screen that records its presses. */
  const on = (record: typeof first, state = '') =>
    screen(record, state, { press: (what) => void pressed.push(`${record.name} ${what}`) })

  /** A flow that begins with a screen and is then controlled by the test. */
  function begin(record = first, more: { signal?: AbortSignal; kind?: string } = {}) {
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
    /** Presses on the current screen, or on a previous one. */
    press(what: string, seen = view()) {
      if (seen?.screen) pressIn(seen.screen, 'press', [what])
    },
  }
}
