/** Runs a captcha on the element of its screen. `captcha-state.ts` decides the next step. */
import { captchaLimits } from '@latchkey/protocol'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenHandle } from '../../app/screen.ts'
import { createMachine, type Machine } from '../../flow/machine.ts'
import { type CheckEffect, type CheckEvent, type CheckState, checkStep, unchecked } from './captcha-state.ts'
import type { WidgetSettings, Widgets } from './widget.ts'

export type CaptchaOptions = {
  loadWidgets: () => Promise<Widgets>
  settings: WidgetSettings
  /** Stores the token, even if the user leaves before the screen ends. */
  keep: (token: string) => void
}

export function useCaptcha(
  { loadWidgets, settings, keep }: CaptchaOptions,
  place: RefObject<Element | null>,
  screen: ScreenHandle<string>,
): { state: CheckState; retry: () => void } {
  const { handle } = useDialog()
  const [state, setState] = useState(unchecked)
  const machine = useRef<Machine<CheckState, CheckEvent>>(undefined)

  function createCheck() {
    const { signal } = handle
    const check: Machine<CheckState, CheckEvent> = createMachine<CheckState, CheckEvent, CheckEffect>({
      initial: unchecked,
      step: checkStep,
      draw: setState,
      signal,
      crashed: screen.reject,
      effects: {
        // A failure counts when the widget opens.
        preload: () => void loadWidgets().catch(() => {}),
        'try after': ({ delayMs }) => void handle.after(delayMs, () => check.send({ type: 'try' })),
        'watch for the deadline': ({ deadline }) =>
          void handle.after(captchaLimits.deadlineMs, () => check.send({ type: 'too late', deadline })),
        async open({ attempt }) {
          // A blocked script is a failed captcha to the user.
          try {
            const widgets = await loadWidgets()
            if (signal.aborted || !place.current) return undefined
            const widget = widgets.open(place.current, settings)
            signal.addEventListener('abort', widget.remove)
            return { type: 'opened', attempt, widget }
          } catch {
            return { type: 'broken', attempt }
          }
        },
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
            check.send({ type: 'looked', attempt, result: widget.result() }),
          ),
        pass({ token }) {
          keep(token)
          handle.after(captchaLimits.continueAfterMs, () => screen.resolve(token))
        },
        'give up': ({ error }) => screen.reject(error),
      },
    })
    return check
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the check starts with the screen.
  useLayoutEffect(() => {
    machine.current = createCheck()
    machine.current.send({ type: 'begin' })
  }, [])

  return { state, retry: () => machine.current?.send({ type: 'retry' }) }
}
