import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { LatchkeyServerError } from './errors.ts'
import { keySetLimits } from './limits.ts'

export type KeySetOptions = {
  url: string
  fetch: typeof fetch
  nowMs: () => number
}

type StoredKeySet = {
  getKey: JWTVerifyGetKey
  fetchedAtMs: number
  freshUntilMs: number
}

/**
 * Creates the key set of an issuer. It is fetched with the first token and cached as `Cache-Control` allows. An
 * unknown key id fetches it again, because keys rotate.
 */
export function createKeySet({ url, fetch, nowMs }: KeySetOptions): JWTVerifyGetKey {
  let stored: StoredKeySet | undefined
  let pending: Promise<StoredKeySet> | undefined
  let failedAtMs = Number.NEGATIVE_INFINITY

  /** Fetches the key set. Concurrent callers share the request. */
  function fetchAgain(): Promise<StoredKeySet> {
    pending ??= fetchKeySet()
      .then((fetched) => {
        stored = fetched
        return fetched
      })
      .catch((cause) => {
        failedAtMs = nowMs()
        throw cause
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }

  async function fetchKeySet(): Promise<StoredKeySet> {
    const signal = AbortSignal.timeout(keySetLimits.fetchDeadlineMs)
    // Workers do not support 'error' for redirects. With 'manual' a redirect is a response that is not OK.
    const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
    const getKey = createLocalJWKSet((await response.json()) as JSONWebKeySet)
    const fetchedAtMs = nowMs()
    return { getKey, fetchedAtMs, freshUntilMs: fetchedAtMs + parseMaxAgeSeconds(response.headers) * 1_000 }
  }

  const hasJustFailed = () => nowMs() - failedAtMs < keySetLimits.fetchAtMostEveryMs

  async function current(): Promise<StoredKeySet> {
    if (stored && nowMs() < stored.freshUntilMs) return stored
    const stale =
      stored && nowMs() < stored.freshUntilMs + keySetLimits.staleSeconds * 1_000 ? stored : undefined
    if (stale && hasJustFailed()) return stale
    return fetchAgain().catch((cause) => {
      if (stale) return stale
      throw new LatchkeyServerError('keys_unavailable', cause)
    })
  }

  return async (header, token) => {
    const keys = await current()
    try {
      return await keys.getKey(header, token)
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey
      const mayFetch = nowMs() - keys.fetchedAtMs >= keySetLimits.fetchAtMostEveryMs && !hasJustFailed()
      if (!isUnknown || !mayFetch) throw error
    }
    const newer = await fetchAgain().catch((cause) => {
      throw new LatchkeyServerError('keys_unavailable', cause)
    })
    return newer.getKey(header, token)
  }
}

/** Returns the remaining freshness: `max-age` minus `Age` (RFC 9111). */
function parseMaxAgeSeconds(headers: Headers): number {
  const directives = headers.get('cache-control')?.toLowerCase() ?? ''
  if (/\bno-(?:store|cache)\b/.test(directives)) return keySetLimits.fetchAtMostEveryMs / 1_000
  const [, named] = /\bmax-age=(\d{1,9})\b/.exec(directives) ?? []
  const maxAge = named === undefined ? keySetLimits.defaultMaxAgeSeconds : Number(named)
  const age = Number(/^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? 0)
  return Math.min(
    Math.max(maxAge - age, keySetLimits.fetchAtMostEveryMs / 1_000),
    keySetLimits.longestMaxAgeSeconds,
  )
}
