import { loaderLimits } from './limits.ts'

type Answer = { readonly token: string | null; readonly expiresInSeconds: number }
/** Tells how many milliseconds have passed since it was started. */
export type StartTimer = () => () => number

/** One question for any number of callers, and its answer until shortly before it expires. */
export function createTokenCache(ask: () => Promise<Answer>, startTimer: StartTimer) {
  let last: { readonly token: Promise<string | null>; isOver: () => boolean } | undefined

  function askAnew() {
    const mine = {
      token: ask().then(
        ({ token, expiresInSeconds }) => {
          // The lifetime counts from when the answer came, by this page's own clock.
          const passedMs = startTimer()
          const keptMs = token === null ? 0 : expiresInSeconds * 1_000 - loaderLimits.tokenLeftMs
          mine.isOver = () => passedMs() >= keptMs
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
 * does not. Whichever saw more time pass is believed: a token is then asked for too early rather than too late.
 */
export const startTimer: StartTimer = () => {
  const clocks = [() => performance.now(), Date.now].map((now) => ({ now, start: now() }))
  return () => Math.max(...clocks.map(({ now, start }) => now() - start))
}
