import { loaderLimits } from './limits.ts'

type Token = { readonly token: string | null; readonly expiresAt: number | null }

/** One question for any number of callers, and its answer until shortly before it expires. */
export function createTokenCache(ask: () => Promise<Token>, now: () => number) {
  let kept: Token | undefined
  let asking: Promise<string | null> | undefined

  return {
    get(): Promise<string | null> {
      if (kept?.expiresAt && now() < kept.expiresAt * 1_000 - loaderLimits.tokenLeftMs) {
        return Promise.resolve(kept.token)
      }
      if (asking) return asking
      const mine = ask().then(
        (answer) => {
          // What was asked before a logout is not kept after it.
          if (asking === mine) {
            kept = answer
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
