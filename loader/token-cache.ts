import { loaderLimits } from './limits.ts'

type Answer = { readonly token: string | null; readonly expiresInSeconds: number }
/** Tells how many milliseconds have passed since it was started. */
export type StartTimer = () => () => number

/** One question for any number of callers, and its answer until shortly before it expires. */
export function createTokenCache(ask: () => Promise<Answer>, startTimer: StartTimer) {
  let kept: { readonly token: string; readonly leftMs: () => number } | undefined
  let asking: Promise<string | null> | undefined

  /** The lifetime counts from when the answer came, by this page's own clock. */
  function keep({ token, expiresInSeconds }: Answer) {
    const passedMs = startTimer()
    if (token !== null) kept = { token, leftMs: () => expiresInSeconds * 1_000 - passedMs() }
  }

  return {
    get(): Promise<string | null> {
      if (kept && kept.leftMs() > loaderLimits.tokenLeftMs) return Promise.resolve(kept.token)
      if (asking) return asking
      const mine = ask().then(
        (answer) => {
          // What was asked before a logout is not kept after it.
          if (asking === mine) {
            keep(answer)
            asking = undefined
          }
          return answer.token
        },
        (error: unknown) => {
          if (asking === mine) asking = undefined
          throw error
        },
      )
      asking = mine
      return mine
    },
    drop() {
      kept = undefined
      asking = undefined
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
