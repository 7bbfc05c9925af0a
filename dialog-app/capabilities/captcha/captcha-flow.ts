/**
 * CAPTCHA_SCREEN stands before the call that starts a login, and ends with a token. `captcha-state.ts` decides what
 * comes next; this does it.
 */
import { captchaLimits } from '@latchkey/protocol'
import { done, type FlowHandle, type RunningFlow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import {
  type CaptchaOutcome,
  type CheckEffect,
  type CheckEvent,
  type CheckState,
  checkStep,
  shownCaptcha,
  unchecked,
} from './captcha-state.ts'
import { captchaScreen } from './screens.ts'
import type { WidgetSettings, Widgets } from './widget.ts'

export type CaptchaParts = {
  loadWidgets: () => Promise<Widgets>
  settings: WidgetSettings
  keep: (token: string) => void
}

type Effect<Type extends CheckEffect['type']> = Extract<CheckEffect, { type: Type }>

export function createCaptchaFlow(
  handle: FlowHandle<CaptchaOutcome>,
  { loadWidgets, settings, keep }: CaptchaParts,
): RunningFlow<CaptchaOutcome> {
  const { signal } = handle
  const { promise: place, resolve: setPlace } = Promise.withResolvers<Element>()

  const machine = createMachine<CheckState, CheckEvent, CheckEffect>({
    initial: unchecked,
    step: checkStep,
    draw: (state) => handle.update(view(state)),
    ...partOf(handle),
    effects: {
      // Whoever needs it asks again.
      preload: () => void loadWidgets().catch(() => {}),
      'try after': ({ delayMs }) => void handle.after(delayMs, () => machine.send({ type: 'try' })),
      'watch for the deadline': ({ deadline }) =>
        void handle.after(captchaLimits.deadlineMs, () => machine.send({ type: 'too late', deadline })),
      open,
      execute({ attempt, widget }) {
        try {
          widget.execute()
          return undefined
        } catch {
          return { type: 'broken', attempt }
        }
      },
      look: ({ attempt, widget }) =>
        void handle.after(captchaLimits.pollMs, () =>
          machine.send({ type: 'looked', attempt, result: widget.result() }),
        ),
      keep: ({ token }) => keep(token),
      hold: ({ ending }) => void handle.after(captchaLimits.continueAfterMs, () => handle.end(ending)),
      end: ({ ending }) => handle.end(ending),
    },
  })

  const view = (state: CheckState) =>
    screen(captchaScreen, shownCaptcha(state), {
      placed: setPlace,
      retry: () => machine.send({ type: 'retry' }),
      leave: () => handle.end(left()),
    })

  /** A script that is kept away is to its user the same as a captcha that was not passed. */
  async function open({ attempt }: Effect<'open'>): Promise<CheckEvent | undefined> {
    try {
      const [widgets, element] = await Promise.all([loadWidgets(), place])
      if (signal.aborted) return undefined
      const widget = widgets.open(element, settings)
      signal.addEventListener('abort', widget.remove)
      return { type: 'opened', attempt, widget }
    } catch {
      return { type: 'broken', attempt }
    }
  }

  return {
    kind: 'captcha',
    run() {
      handle.go(view(machine.state()))
      machine.send({ type: 'begin' })
    },
    onClose: left,
    onBack: left,
  }
}

const left = () => done(undefined)
