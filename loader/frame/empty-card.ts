import type { ClientConfig } from '../types/published.ts'
import { usedColorScheme } from './frame.ts'
import { loaderLimits } from './limits.ts'

/** Who waits too long for the dialog sees an empty card, until nobody waits any more. */
export function createEmptyCard(show: (heightPx: number) => void, hide: () => void) {
  const waiting = new Set<ReturnType<typeof setTimeout>>()
  return {
    /** Returns what ends the wait; so does the signal. */
    await(signal: AbortSignal | undefined, heightPx: number): () => void {
      const timer = setTimeout(show, loaderLimits.emptyCardAfterMs, heightPx)
      const done = () => {
        clearTimeout(timer)
        if (waiting.delete(timer) && waiting.size === 0) hide()
      }
      waiting.add(timer)
      signal?.addEventListener('abort', done)
      return done
    },
    /** Keeps the card from following the dialog's own card, which ended before the answer of its call arrived. */
    drop() {
      for (const timer of waiting) clearTimeout(timer)
    },
  }
}

/** Near the height of what comes, and no higher than most of it: the ways to log in, or the question of another call. */
export const heightOf = (call: string): number => (call === 'login' ? 400 : 300)

const light = '#fdfdfd'
const dark = '#17181a'

/** The colour of the dialog's card, as near as this page's own configuration tells. */
export function cardColour({ appearance }: ClientConfig): string {
  const theme = String(appearance?.theme)
  if (theme.startsWith('#')) return theme
  return usedColorScheme(theme.replace('auto', 'light dark')) === 'dark' ? dark : light
}
