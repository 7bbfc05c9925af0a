/**
 * The attempts of one screen in separate windows. A window that reads as closed may still be open behind an opener
 * policy. That reading therefore only offers another attempt, and the first confirmed attempt counts.
 */
import { oauthLimits } from '@latchkey/protocol'
import type { CardHandle } from '../flow/flow.ts'
import type { Attempt } from './attempt.ts'

export type WindowState = {
  /** The readable state of the window. It may be open although it reads as closed or is unreadable. */
  window: 'open' | 'closed' | 'none'
  /** The digits that an unreadable window asks for. */
  digits?: string
}

type Listeners<Grant> = {
  show: (state: WindowState) => void
  granted: (grant: Grant) => void
  /** Receives the failure of the latest window. Earlier ones may still succeed. */
  failed: (error: unknown) => void
}

export type WindowTries<Grant> = {
  /** Follows a new attempt. `begin` opens its window, so this must be called in a click. */
  open: (begin: () => Attempt<Grant>) => void
  stop: () => void
}

export function createWindowTries<Grant>(
  { after, signal }: Pick<CardHandle, 'after' | 'signal'>,
  { show, granted, failed }: Listeners<Grant>,
): WindowTries<Grant> {
  const attempts = new Set<Attempt<Grant>>()
  let latest: Attempt<Grant> | undefined

  function open(begin: () => Attempt<Grant>) {
    if (latest?.isWindowClosed() === false) latest.stop()
    const attempt = begin()
    attempts.add(attempt)
    latest = attempt
    const { digits } = attempt
    const isUnreadable = attempt.isWindowClosed() === undefined
    show(isUnreadable ? { window: 'none', ...(digits !== undefined && { digits }) } : { window: 'open' })
    void follow(attempt)
    if (!isUnreadable) watch(attempt)
  }

  function stop() {
    for (const each of attempts) each.stop()
    attempts.clear()
  }

  function watch(watched: Attempt<Grant>) {
    after(oauthLimits.closedCheckMs, () => {
      if (watched.isOver() || watched !== latest || !attempts.has(watched)) return
      if (watched.isWindowClosed()) show({ window: 'closed' })
      else watch(watched)
    })
  }

  async function follow(attempt: Attempt<Grant>) {
    let grant: Grant
    try {
      grant = await attempt.granted
    } catch (error) {
      if (attempts.delete(attempt) && attempt === latest && !signal.aborted) failed(error)
      return
    }
    if (!attempts.has(attempt) || signal.aborted) return
    stop()
    granted(grant)
  }

  return { open, stop }
}
