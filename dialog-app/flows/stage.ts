/** One dialog, one flow at a time on it: binds navigation to what is seen and to the host's frame. */
import { dialogLimits } from '@latchkey/protocol'
import type { Analytics } from '../api/analytics.ts'
import type { View } from '../core.ts'
import type { Clock } from '../ports.ts'
import {
  closedNavigation,
  type FlowKind,
  headerFlags,
  type Move,
  move,
  type Navigation,
} from './navigation.ts'
import type { FrameHost } from './ports.ts'
import type { ScreenView, ViewEvent } from './view-state.ts'

export type Flow = {
  readonly kind: FlowKind
  readonly handle: (event: ViewEvent) => void
  /** The frame that the flow is seen in is gone. */
  readonly lost: (error: unknown) => void
}

export type Stage = {
  readonly open: (flow: Flow, screen: ScreenView) => void
  readonly go: (screen: ScreenView) => void
  readonly replace: (screen: ScreenView) => void
  readonly restart: (screen: ScreenView) => void
  readonly update: (screen: ScreenView) => void
  readonly back: () => void
  readonly screen: () => ScreenView | undefined
  /** Ends the flow: its timers are off and it gets no more events. Settles when the stage is free again. */
  readonly close: (flow: Flow) => Promise<void>
  readonly isOn: (flow: Flow) => boolean
  /** Settles when a close that is under way is done. */
  readonly free: () => Promise<void>
  /** A timer of the present flow. */
  readonly after: (delayMs: number, run: () => void) => () => void
  readonly send: (event: ViewEvent) => void
}

export function createStage(ports: {
  readonly clock: Clock
  readonly host: FrameHost
  readonly analytics: Analytics
  readonly standalone: boolean
  readonly setView: (view: View) => void
}): Stage {
  const { clock, host, analytics, standalone, setView } = ports
  let navigation: Navigation = closedNavigation
  let flow: Flow | undefined
  let closing = Promise.resolve()
  const timers = new Set<() => void>()

  function apply(to: Move) {
    navigation = move(navigation, to)
    const { open, screen, step, direction } = navigation
    setView({
      open: open || standalone,
      screen,
      step,
      direction,
      header: headerFlags(navigation, standalone),
      standalone,
    })
  }

  return {
    open(next, screen) {
      flow = next
      apply({ type: 'open', flow: next.kind, screen })
      analytics('modal_open', { flow: next.kind })
      host.show().catch((error: unknown) => {
        if (flow === next) next.lost(error)
      })
    },
    go: (screen) => apply({ type: 'forward', screen }),
    replace: (screen) => apply({ type: 'replace', screen }),
    restart: (screen) => apply({ type: 'restart', screen }),
    update: (screen) => apply({ type: 'update', screen }),
    back: () => apply({ type: 'back' }),
    screen: () => navigation.screen,
    close(ended) {
      if (flow !== ended) return Promise.resolve()
      flow = undefined
      for (const stop of timers) stop()
      timers.clear()
      apply({ type: 'close' })
      analytics('modal_closed', { flow: ended.kind })
      closing = new Promise<void>((resolve) => {
        clock.after(dialogLimits.authFlowResetMs, () => {
          apply({ type: 'reset' })
          host.hide()
          resolve()
        })
      })
      return closing
    },
    isOn: (asked) => flow === asked,
    free: () => closing,
    after(delayMs, run) {
      const stop = clock.after(delayMs, () => {
        timers.delete(stop)
        run()
      })
      timers.add(stop)
      return () => {
        timers.delete(stop)
        stop()
      }
    },
    send: (event) => flow?.handle(event),
  }
}
