/** One screen from the question to what came of it: the window of the cloud, and the wallet's use of what it said. */
import { oauthLimits } from '@latchkey/protocol'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { failurePayload } from '../../../api/analytics.ts'
import type { CardHandle } from '../../../core/flow.ts'
import type { FlowPorts } from '../../../core/ports.ts'
import { isRefusal } from '../../../core/rejection.ts'
import { screen } from '../../../core/screen.ts'
import type { Confirmed } from '../../../wallet/confirmed.ts'
import type { OwnRecovery } from '../../../wallet/own-recovery.ts'
import type { Attempt } from '../../../window-login/attempt.ts'
import { type WindowBrowser, windowBrowser } from '../../../window-login/browser.ts'
import { cloudScreen } from '../screens.ts'
import { cloudWindows, type OpenWindow } from './access.ts'
import type { CloudState } from './cloud-screen.tsx'
import { type CloudProblem, problemOf } from './problem.ts'

type Ports = Pick<FlowPorts, 'api' | 'clock' | 'settings' | 'analytics'>

export type CloudRun = {
  readonly cloud: CloudRecovery
  readonly purpose: CloudState['purpose']
  /** This one, but for tests. */
  readonly browser: WindowBrowser | undefined
  readonly show: CardHandle['go']
  /** Missing where nobody began it. */
  readonly cancel: (() => void) | undefined
  readonly close: (() => void) | undefined
  /** Of a wallet that is there: its user says on the page of confirmations that this is to keep it. */
  readonly approval: CloudApproval | undefined
  /** May fail; then it is asked again, with another window: what one says is good once. */
  readonly use: (own: OwnRecovery) => Promise<void>
}

export type CloudApproval = {
  /** Undefined until it was given, and after it was used. */
  readonly given: () => Confirmed | undefined
  /** Puts it to the server, which the page needs. */
  readonly prepare: () => Promise<void>
  /** In the click. Rejects where it was refused. */
  readonly open: () => Promise<void>
}

export function runCloud(ports: Ports, card: CardHandle, run: CloudRun): Promise<void> {
  const { cloud, purpose, browser = windowBrowser(window) } = run
  const { promise, resolve } = Promise.withResolvers<void>()
  let latest: Attempt<OwnRecovery> | undefined
  let openWindow: OpenWindow | undefined
  let isShown = false

  function show(step: CloudState['step']) {
    const state: CloudState = { cloud, purpose, canCancel: run.cancel !== undefined, step }
    const view = screen(cloudScreen, state, {
      open,
      cancel: run.cancel ?? (() => {}),
      close: run.close ?? (() => {}),
    })
    if (isShown) card.update(view)
    else run.show(view)
    isShown = true
  }

  async function ask(problem?: CloudProblem) {
    const asking = { at: 'asking', ...(problem && { problem }) } as const
    openWindow = undefined
    const isFirst = run.approval !== undefined && run.approval.given() === undefined
    const first = isFirst && { isFirst }
    show({ ...asking, isReady: false, ...first })
    try {
      if (isFirst) await run.approval?.prepare()
      openWindow = await cloudWindows[cloud](ports, browser, card.signal)
      if (isHere()) show({ ...asking, isReady: true, ...first })
    } catch (error) {
      // The press asks for it again.
      if (isHere()) show({ at: 'asking', isReady: true, ...first, problem: problemOf(error) })
    }
  }

  /** In the click. */
  function open() {
    if (!openWindow) {
      void ask()
      return
    }
    if (run.approval && !run.approval.given()) {
      run.approval.open().then(
        () => void ask(),
        (error: unknown) => void ask(isRefusal(error) ? undefined : problemOf(error)),
      )
      return
    }
    latest?.stop()
    const attempt = openWindow(card.signal)
    latest = attempt
    const { digits } = attempt
    if (attempt.isWindowClosed() !== undefined) show({ at: 'window', window: 'open' })
    else show({ at: 'window', window: 'none', ...(digits !== undefined && { digits }) })
    void take(attempt)
    watch(attempt)
  }

  const isHere = () => card.isAt(cloudScreen) && !card.signal.aborted

  async function take(attempt: Attempt<OwnRecovery>) {
    let own: OwnRecovery
    try {
      own = await attempt.granted
    } catch (error) {
      if (attempt !== latest || !isHere()) return
      ports.analytics('recovery_oauth_error', { ...failurePayload(error), provider: cloud })
      void ask(problemOf(error))
      return
    }
    if (attempt !== latest || !isHere()) return
    latest = undefined
    show({ at: 'working' })
    try {
      await run.use(own)
    } catch (error) {
      if (isHere()) void ask(problemOf(error))
      return
    }
    resolve()
  }

  /** A window that reads as closed may be open: that only offers another one, and what either says first counts. */
  function watch(watched: Attempt<OwnRecovery>, isTold = false) {
    card.after(oauthLimits.closedCheckMs, () => {
      if (watched.isOver() || watched !== latest) return
      if (!isHere()) {
        watched.stop()
        return
      }
      const isClosed = watched.isWindowClosed() === true
      if (isClosed && !isTold) show({ at: 'window', window: 'closed' })
      watch(watched, isClosed)
    })
  }

  void ask()
  return promise
}
