/**
 * A card that leads to a wallet window. The wallet origin renders the button and opens the window on click, so no script
 * of this page ever holds one. The card learns that something was opened, and the wallet frame finds the window by its
 * handle.
 */
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import { isInsideApp } from '../../browser/device.ts'
import type { Settings } from '../../host/settings.ts'
import type { NextWindow } from '../../wallet/frame.ts'

/** The reasons why no window can be opened that would reach this page. */
export type NoWindow = 'in-app' | 'cut-off'

export function noWindowIn({ app }: Pick<Settings, 'app'>, userAgent: string): NoWindow | undefined {
  if (isInsideApp(userAgent)) return 'in-app'
  // The opener policy of the page separates its windows from this one.
  return app.crossOriginOpenerPolicy === 'same-origin' ? 'cut-off' : undefined
}

/** The state `closed` is a hint, and `none` means unknown: the window may still be open. */
export type WindowStep<Problem> =
  /** There is no button if no window can be opened. */
  | { at: 'asking'; buttonUrl?: string; problem?: Problem }
  | { at: 'window'; window: 'open' | 'closed' | 'none'; buttonUrl: string; isInUse?: boolean }

export type WindowAttempt = {
  /** Aborts when the window is no longer served. */
  signal: AbortSignal
  /** Sets whether the input of the window is being used. The card then ignores the button. */
  setInUse: (isInUse: boolean) => void
  /** Ends the attempt without a result. */
  abandon: () => void
}

export type WalletWindowPorts<Problem> = {
  /** The signal of the card. */
  signal: AbortSignal
  /** The problem to show if no window can be opened. */
  obstacle: Problem | undefined
  next: () => NextWindow
  show: (step: WindowStep<Problem>) => void
  /** Serves the window from its opening to its end. */
  serve: (handle: string, attempt: WindowAttempt) => Promise<void>
  onDone: () => void
  onFailed: (error: unknown, ask: (problem: Problem) => void) => void
}

export type WalletWindow<Problem> = {
  /** Shows the button of a new window. An earlier window is abandoned. */
  ask: (problem?: Problem) => void
  /** Receives the state of the window from its button. */
  hear: (state: OpenedWindowState) => void
  abandon: () => void
}

export function createWalletWindow<Problem>(ports: WalletWindowPorts<Problem>): WalletWindow<Problem> {
  const { signal, obstacle, next, serve, onDone, onFailed } = ports
  let present: NextWindow | undefined
  let attempt: AbortController | undefined
  let currentStep: WindowStep<Problem> | undefined

  function show(step: WindowStep<Problem>) {
    currentStep = step
    ports.show(step)
  }
  function begin({ handle }: NextWindow) {
    const mine = new AbortController()
    attempt = mine
    const both = AbortSignal.any([signal, mine.signal])
    const setInUse = (isInUse: boolean) => {
      if (!both.aborted && currentStep?.at === 'window') show({ ...currentStep, isInUse })
    }
    serve(handle, { signal: both, setInUse, abandon: () => mine.abort() }).then(
      () => both.aborted || onDone(),
      (error: unknown) => both.aborted || onFailed(error, ask),
    )
  }
  function ask(problem?: Problem) {
    abandon()
    if (obstacle !== undefined) return show({ at: 'asking', problem: obstacle })
    present = next()
    const { buttonUrl } = present
    show({ at: 'asking', buttonUrl, ...(problem !== undefined && { problem }) })
  }
  function abandon() {
    attempt?.abort()
    attempt = undefined
    present = undefined
  }

  return {
    ask,
    hear(state) {
      if (!present || signal.aborted || (currentStep?.at === 'window' && currentStep.isInUse)) return
      const { buttonUrl } = present
      if (state === 'closed') {
        if (attempt) show({ at: 'window', window: 'closed', buttonUrl })
        return
      }
      const isNew = !attempt
      show({ at: 'window', window: state === 'open' ? 'open' : 'none', buttonUrl })
      // A reopened window continues the same attempt.
      if (isNew) begin(present)
    },
    abandon,
  }
}
