import { loaderLimits } from '../frame/limits.ts'

type TokenRequest = { token: Promise<string | null>; answeredMs: number | undefined }
/** Marks a token that must not be reused: that of a visitor, or a failed request. */
const never = -Infinity

/**
 * Caches the access token for a second and shares a pending request. Only the dialog knows the current session,
 * and a frozen tab learns late of logins in other tabs. The dialog answers from memory, so asking again is
 * cheap. A changed system clock counts as elapsed time.
 */
export function createTokenCache(fetchToken: () => Promise<{ token: string | null }>, now: () => number) {
  let last: TokenRequest | undefined

  function requestToken(): TokenRequest {
    const request: TokenRequest = { token: fetchToken().then(({ token }) => token), answeredMs: undefined }
    request.token.then(
      (token) => {
        request.answeredMs = token === null ? never : now()
      },
      () => {
        request.answeredMs = never
      },
    )
    return request
  }

  return {
    get(): Promise<string | null> {
      const { answeredMs = now() } = last ?? {}
      if (!last || Math.abs(now() - answeredMs) >= loaderLimits.tokenReuseMs) last = requestToken()
      return last.token
    },
    /** Forgets the token. A pending request still settles for its callers. */
    drop() {
      last = undefined
    },
  }
}
