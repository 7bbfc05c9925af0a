/**
 * A card that leads to a window of the wallet's origin and waits for what is done in it. That origin draws the button and
 * opens the window in its own click, so no script of this page ever holds one: the card hears that something was opened,
 * and the wallet frame finds the window by its handle.
 */
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import { isInsideApp } from '../browser/device.ts'
import type { Settings } from '../host/settings.ts'
import type { NextWindow } from '../wallet/frame.ts'

/** Where nothing can be opened that would find its way back. */
export type NoWindow = 'in-app' | 'cut-off'

export function noWindowIn({ app }: Pick<Settings, 'app'>, userAgent: string): NoWindow | undefined {
  if (isInsideApp(userAgent)) return 'in-app'
  // Its windows know nothing of this one, so what is done there could not come here.
  return app.crossOriginOpenerPolicy === 'same-origin' ? 'cut-off' : undefined
}

/** One that reads as closed, or of which nothing can be read (`none`), may be open all the same. */
export type WindowStep<Problem> =
  /** There is no button where no window can be opened. */
  | { at: 'asking'; buttonUrl?: string; problem?: Problem }
  | { at: 'window'; window: 'open' | 'closed' | 'none'; buttonUrl: string }

type Ports<Problem> = {
  /** The signal of the card. */
  signal: AbortSignal
  /** What is said where no window can be opened. */
  obstacle: Problem | undefined
  next: () => NextWindow
  show: (step: WindowStep<Problem>) => void
  /** The window is served from when it was opened to its end. Once the signal aborts, nobody waits for it any more. */
  serve: (handle: string, signal: AbortSignal) => Promise<void>
  onDone: () => void
  onFailed: (error: unknown) => void
}

export type WalletWindow<Problem> = {
  /** Shows the button of a window that was not opened yet. One that was opened before is waited for no more. */
  ask: (problem?: Problem) => void
  /** What the button says of the window that it opened. */
  hear: (state: OpenedWindowState) => void
  abandon: () => void
}

export function createWalletWindow<Problem>(ports: Ports<Problem>): WalletWindow<Problem> {
  const { signal, obstacle, next, show, serve, onDone, onFailed } = ports
  let present: NextWindow | undefined
  let attempt: AbortController | undefined

  function begin({ handle }: NextWindow) {
    const mine = new AbortController()
    attempt = mine
    const both = AbortSignal.any([signal, mine.signal])
    serve(handle, both).then(
      () => both.aborted || onDone(),
      (error: unknown) => both.aborted || onFailed(error),
    )
  }
  function abandon() {
    attempt?.abort()
    attempt = undefined
    present = undefined
  }

  return {
    ask(problem) {
      abandon()
      if (obstacle !== undefined) return show({ at: 'asking', problem: obstacle })
      present = next()
      const { buttonUrl } = present
      show({ at: 'asking', buttonUrl, ...(problem !== undefined && { problem }) })
    },
    hear(state) {
      if (!present || signal.aborted) return
      const { buttonUrl } = present
      if (state === 'closed') {
        if (attempt) show({ at: 'window', window: 'closed', buttonUrl })
        return
      }
      // Opened again it is the same wait.
      if (!attempt) begin(present)
      show({ at: 'window', window: state === 'open' ? 'open' : 'none', buttonUrl })
    },
    abandon,
  }
}
