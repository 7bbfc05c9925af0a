/** CAPTCHA_SCREEN: stands before the call that starts a login, and ends with a token. */
import { captchaLimits, LatchkeyError } from '@latchkey/protocol'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { type CaptchaEvent, captchaAfter, readyCaptcha } from './captcha-state.ts'
import { captchaScreen } from './screens.ts'
import type { Widget, WidgetSettings, Widgets } from './widget.ts'

/** Undefined where the user left. */
export type CaptchaOutcome = string | undefined

export type CaptchaParts = {
  readonly loadWidgets: () => Promise<Widgets>
  readonly settings: WidgetSettings
  /** The token is there, whether the user waits for what comes or leaves. */
  readonly keep: (token: string) => void
}

export function createCaptchaFlow(
  handle: FlowHandle<CaptchaOutcome>,
  { loadWidgets, settings, keep }: CaptchaParts,
): RunningFlow<CaptchaOutcome> {
  const { promise: place, resolve: setPlace } = Promise.withResolvers<Element>()
  let state = readyCaptcha
  let widget: Widget | undefined

  const view = () =>
    screen(captchaScreen, state, {
      placed: setPlace,
      retry: () => {
        if (step({ type: 'retry' })) handle.after(captchaLimits.retryDelayMs, () => void attempt())
      },
      leave: () => handle.end(left()),
    })

  function step(event: CaptchaEvent): boolean {
    const next = captchaAfter(state, event)
    if (next === state) return false
    state = next
    handle.update(view())
    return true
  }

  async function attempt() {
    const stopDeadline = handle.after(captchaLimits.deadlineMs, () => handle.end(failed(tooLate())))
    const fail = () => {
      stopDeadline()
      step({ type: 'failed' })
    }
    const poll = () => handle.after(captchaLimits.pollMs, look)
    function look() {
      const result = widget?.result() ?? { type: 'none yet' }
      if (result.type === 'none yet') return void poll()
      if (result.type === 'failed') return fail()
      stopDeadline()
      succeed(result.token)
    }
    try {
      const [widgets, element] = await Promise.all([loadWidgets(), place])
      if (handle.signal.aborted) return
      widget ??= widgets.open(element, settings)
      widget.execute()
    } catch {
      // The provider's script did not come, or it failed: the same to the user as a captcha that was not passed.
      return fail()
    }
    poll()
  }

  function succeed(token: string) {
    if (!step({ type: 'passed', token })) return
    keep(token)
    handle.after(captchaLimits.continueAfterMs, () => handle.end(done(token)))
  }

  return {
    kind: 'captcha',
    run() {
      handle.signal.addEventListener('abort', () => widget?.remove())
      // On its way while nothing else is to be done; whoever needs it asks again.
      loadWidgets().catch(() => {})
      handle.go(view())
      handle.after(captchaLimits.executeAfterMs, () => {
        if (step({ type: 'execute' })) void attempt()
      })
    },
    onClose: left,
    onBack: left,
  }
}

const left = () => done(undefined)
const tooLate = () => new LatchkeyError('captcha_timeout', 'Captcha failed')
