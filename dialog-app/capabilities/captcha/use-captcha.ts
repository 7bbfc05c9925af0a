/** Runs a captcha on the element of its screen. It starts by itself, is polled, and can be retried a few times. */
import { captchaLimits, LatchkeyError } from '@latchkey/protocol'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenHandle } from '../../app/screen.ts'
import { wait } from '../../browser/waiting.ts'
import type { Widget, WidgetSettings, Widgets } from './widget.ts'

export type CaptchaOptions = {
  loadWidgets: () => Promise<Widgets>
  settings: WidgetSettings
  /** Stores the token, even if the user leaves before the screen ends. */
  keep: (token: string) => void
}

export type Check = {
  /** `asking`: the widget waits for the user. `retrying`: the next attempt starts after a pause. */
  status: 'loading' | 'asking' | 'failed' | 'retrying' | 'passed'
  retriesLeft: number
}

export function useCaptcha(
  { loadWidgets, settings, keep }: CaptchaOptions,
  place: RefObject<Element | null>,
  screen: ScreenHandle<string>,
): Check & { retry: () => void } {
  const { services, handle } = useDialog()
  const [check, setCheck] = useState<Check>({ status: 'loading', retriesLeft: captchaLimits.retries })
  const retry = useRef(() => {})
  const pause = (delayMs: number) => wait(services.clock, delayMs, handle.signal)

  async function run(): Promise<string> {
    // A failure counts when the widget opens.
    loadWidgets().catch(() => {})
    await pause(captchaLimits.executeAfterMs)
    for (let retriesLeft = captchaLimits.retries; ; retriesLeft -= 1) {
      const show = (status: Check['status']) => setCheck({ status, retriesLeft })
      show('loading')
      const token = await attempt(show)
      if (token !== undefined) {
        keep(token)
        show('passed')
        await pause(captchaLimits.continueAfterMs)
        return token
      }
      show('failed')
      await new Promise<void>((resolve) => {
        retry.current = resolve
      })
      setCheck({ status: 'retrying', retriesLeft: retriesLeft - 1 })
      await pause(captchaLimits.retryDelayMs)
    }
  }

  /** Resolves with undefined if the user does not pass, or the provider's script fails. Rejects after the deadline. */
  async function attempt(show: (status: Check['status']) => void): Promise<string | undefined> {
    const deadline = Promise.withResolvers<never>()
    const startDeadline = () =>
      handle.after(captchaLimits.deadlineMs, () => deadline.reject(createTimeoutError()))
    let stopDeadline = startDeadline()
    let isAsking = false
    async function poll(): Promise<string | undefined> {
      const widget = await openWidget()
      widget.execute()
      for (;;) {
        await pause(captchaLimits.pollMs)
        const result = widget.result()
        if (result.type === 'passed') return result.token
        if (result.type === 'failed') return undefined
        if (isAsking === (result.type === 'asking')) continue
        // The user has as long as the widget allows.
        isAsking = !isAsking
        stopDeadline()
        if (!isAsking) stopDeadline = startDeadline()
        show(isAsking ? 'asking' : 'loading')
      }
    }
    const token = poll().catch((error: unknown) => {
      if (handle.signal.aborted) throw error
      return undefined
    })
    return Promise.race([token, deadline.promise]).finally(() => stopDeadline())
  }

  const widgetRef = useRef<Widget>(undefined)
  /** Opens the widget on its first use. Every attempt uses the same one. */
  async function openWidget(): Promise<Widget> {
    if (widgetRef.current) return widgetRef.current
    const widgets = await loadWidgets()
    handle.signal.throwIfAborted()
    if (!place.current) throw new Error('The screen of the captcha is gone')
    const widget = widgets.open(place.current, settings)
    handle.signal.addEventListener('abort', widget.remove)
    widgetRef.current = widget
    return widget
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the check starts with the screen.
  useLayoutEffect(() => {
    run().then(screen.resolve, screen.reject)
  }, [])

  return { ...check, retry: () => retry.current() }
}

const createTimeoutError = () => new LatchkeyError('captcha_timeout', 'Captcha failed')
