import { loaderLimits } from './limits.ts'

/** Tells how many milliseconds have passed since it was started. */
export type StartTimer = () => () => number

/**
 * One question for any number of callers, and its answer for a second: only the dialog knows whose session it is
 * now, and a tab that was frozen while others logged out and in hears of it late. The dialog has it at hand.
 */
export function createTokenCache(ask: () => Promise<{ token: string | null }>, startTimer: StartTimer) {
  let last: { readonly token: Promise<string | null>; isOver: () => boolean } | undefined

  function askAnew() {
    const mine = {
      token: ask().then(
        ({ token }) => {
          const passedMs = startTimer()
          mine.isOver = () => token === null || passedMs() >= loaderLimits.tokenKeptMs
          return token
        },
        (error: unknown) => {
          mine.isOver = () => true
          throw error
        },
      ),
      isOver: () => false,
    }
    return mine
  }

  return {
    get(): Promise<string | null> {
      if (!last || last.isOver()) last = askAnew()
      return last.token
    },
    /** What was asked before is answered, and not kept. */
    drop() {
      last = undefined
    },
  }
}

/**
 * The monotonic clock, which nobody sets, stands still in some browsers while the machine sleeps; the other one
 * does not. Whichever saw more time pass is believed.
 */
export const startTimer: StartTimer = () => {
  const clocks = [() => performance.now(), Date.now].map((now) => ({ now, start: now() }))
  return () => Math.max(...clocks.map(({ now, start }) => now() - start))
}
