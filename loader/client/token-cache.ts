import { loaderLimits } from '../frame/limits.ts'

type Question = { token: Promise<string | null>; answeredMs: number | undefined }
/** So long ago that it is kept by nobody: an answer for a visitor, or none. */
const never = -Infinity

/**
 * One question for any number of callers, and its answer for a second: only the dialog knows whose session it is
 * now, and a tab that was frozen while others logged out and in hears of it late. The dialog has it at hand. A clock that was set counts as time that passed.
 */
export function createTokenCache(ask: () => Promise<{ token: string | null }>, now: () => number) {
  let last: Question | undefined

  function askAnew(): Question {
    const question: Question = { token: ask().then(({ token }) => token), answeredMs: undefined }
    question.token.then(
      (token) => {
        question.answeredMs = token === null ? never : now()
      },
      () => {
        question.answeredMs = never
      },
    )
    return question
  }

  return {
    get(): Promise<string | null> {
      const { answeredMs = now() } = last ?? {}
      if (!last || Math.abs(now() - answeredMs) >= loaderLimits.tokenReuseMs) last = askAnew()
      return last.token
    },
    /** What was asked before is answered, and not kept. */
    drop() {
      last = undefined
    },
  }
}
