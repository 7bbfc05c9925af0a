import type { ClientConfig } from '../types/published.ts'
import { usedColorScheme } from './frame.ts'
import { loaderLimits } from './limits.ts'

/** Who waits too long for the dialog sees an empty card, until nobody waits any more. */
export function createEmptyCard(show: () => void, hide: () => void) {
  const waiting = new Set<unknown>()
  return {
    /** Returns what ends the wait; so does the signal. */
    await(signal: AbortSignal | undefined): () => void {
      const timer = setTimeout(show, loaderLimits.emptyCardAfterMs)
      const done = () => {
        clearTimeout(timer)
        if (waiting.delete(timer) && waiting.size === 0) hide()
      }
      waiting.add(timer)
      signal?.addEventListener('abort', done)
      return done
    },
  }
}

const light = '#fdfdfd'
const dark = '#17181a'

/** The colour of the dialog's card, as near as this page's own configuration tells. */
export function cardColour({ appearance }: ClientConfig): string {
  const theme = String(appearance?.theme)
  if (theme.startsWith('#')) return theme
  return usedColorScheme(theme.replace('auto', 'light dark')) === 'dark' ? dark : light
}
