/** A stage with flows that tests control. */
import { LatchkeyError } from '@latchkey/protocol'
import type { ScreenLoading } from '../flow/card.ts'
import { type Flow, type FlowHandle, failed } from '../flow/flow.ts'
import { defaultOptions, noWay, type ShownScreen } from '../flow/screen.ts'
import { createStage } from '../flow/stage.ts'
import type { View } from '../flow/view.ts'
import { makeFakeClock } from './clock.ts'
import { watch } from './fixture.ts'

const screenOf = (name: string): ShownScreen => ({
  ...defaultOptions,
  id: name,
  name,
  isLoaded: () => true,
  load: async () => {},
  render: () => null,
})
export const first = screenOf('FIRST')
export const second = screenOf('SECOND')
export const locked: ShownScreen = { ...screenOf('LOCKED'), ways: noWay }
export const verify = screenOf('VERIFY')

type Options = {
  loading?: ScreenLoading
  standalone?: boolean
  setView?: (view: View) => void
}

export function makeStage(options: Options = {}) {
  const clock = makeFakeClock()
  const frame: string[] = []
  const events: string[] = []
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

  /** A flow that begins with a screen and is then controlled by the test. */
  function begin(screen = first, more: { signal?: AbortSignal; kind?: string } = {}) {
    const started = Promise.withResolvers<FlowHandle<string>>()
    const outcome = watch(stage.begin(makeFlow(screen, started.resolve, more.kind), more.signal))
    return { outcome, handle: started.promise }
  }
  const makeFlow =
    (screen: ShownScreen, started: (handle: FlowHandle<string>) => void, kind = 'login'): Flow<string> =>
    (handle) => ({
      kind,
      run() {
        started(handle)
        handle.go(screen)
      },
      onClose: () => failed(new LatchkeyError('exited_auth_flow', `closed ${kind}`)),
    })

  const view = () => views.at(-1)
  return {
    clock,
    frame,
    events,
    stage,
    begin,
    makeFlow,
    view,
    name: () => view()?.screen?.name,
    fail(show: () => Promise<void>) {
      showing = show
    },
  }
}
