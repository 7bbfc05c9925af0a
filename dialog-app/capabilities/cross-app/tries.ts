/**
 * Windows of a card, one after the other: whatever comes first counts, of whichever. One that reads as closed may be open
 * (its page has an opener policy), so that reading only offers to open another.
 */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { crossAppLimits } from '@latchkey/protocol/api'
import type { CardHandle } from '../../flow/flow.ts'
import type { Attempt } from '../../window-login/attempt.ts'

export type WindowShown = {
  window: 'open' | 'closed' | 'none'
  /** What a window asks for of which nothing can be read. */
  digits?: string
}

type Tries<Grant, Given> = {
  /** The click calls this: the window is opened before anything is awaited. */
  begin: (given: Given) => Attempt<Grant>
  show: (shown: WindowShown) => void
  granted: (grant: Grant) => void
  /** The failure of the last window; one before it may have failed because of the last. */
  failed: (error: LatchkeyError) => void
}

export function createTries<Grant, Given = void>(
  card: Pick<CardHandle, 'after' | 'signal'>,
  { begin, show, granted, failed }: Tries<Grant, Given>,
) {
  const attempts = new Set<Attempt<Grant>>()
  let latest: Attempt<Grant> | undefined

  function open(given: Given) {
    if (latest?.isWindowClosed() === false) latest.stop()
    const begun = begin(given)
    attempts.add(begun)
    latest = begun
    const { digits } = begun
    const isBlind = begun.isWindowClosed() === undefined
    show(isBlind ? { window: 'none', ...(digits !== undefined && { digits }) } : { window: 'open' })
    void take(begun)
    if (!isBlind) watch(begun)
  }

  function stop() {
    for (const each of attempts) each.stop()
    attempts.clear()
  }

  function watch(watched: Attempt<Grant>) {
    card.after(crossAppLimits.closedCheckMs, () => {
      if (watched.isOver() || watched !== latest || !attempts.has(watched)) return
      if (watched.isWindowClosed()) show({ window: 'closed' })
      else watch(watched)
    })
  }

  async function take(from: Attempt<Grant>) {
    try {
      const grant = await from.granted
      if (!attempts.has(from) || card.signal.aborted) return
      stop()
      granted(grant)
    } catch (error) {
      const counts = attempts.delete(from) && from === latest && !card.signal.aborted
      if (!counts) return
      stop()
      failed(toLatchkeyError(error, 'unable_to_sign', 'Something went wrong'))
    }
  }

  return { open, stop }
}
