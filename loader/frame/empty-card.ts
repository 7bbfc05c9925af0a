import type { ClientConfig } from '../types/published.ts'
import { usedColorScheme } from './frame.ts'
import { loaderLimits } from './limits.ts'

/** Creates the empty card, which is shown while calls wait for a slow dialog. */
export function createEmptyCard(show: (heightPx: number) => void, hide: () => void) {
  const waiting = new Set<ReturnType<typeof setTimeout>>()
  return {
    /** Starts waiting. Returns a function that ends the wait; an abort ends it too. */
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
    /**
     * Prevents the empty card from appearing after the dialog's card, which may close before its call settles.
     */
    drop() {
      for (const timer of waiting) clearTimeout(timer)
    },
  }
}

/** Returns the approximate height of the expected card: the login methods, or another prompt. */
export const cardHeight = (call: string): number => (call === 'login' ? 400 : 300)

const light = '#fdfdfd'
const dark = '#17181a'

/** Returns the color of the dialog's card, as far as the page's configuration determines it. */
export function cardColor({ appearance }: ClientConfig): string {
  const theme = String(appearance?.theme)
  if (theme.startsWith('#')) return theme
  return usedColorScheme(theme.replace('auto', 'light dark')) === 'dark' ? dark : light
}
