/**
 * The requests, grants, codes and tokens so far. A code is valid for a minute and works once; a token is valid for an
 * hour.
 */
import { randomBytes } from 'node:crypto'
import type { Granted, Trial } from './provider.ts'
import type { ProviderName } from './providers.ts'

const lives = { askedMs: 10 * 60_000, codeMs: 60_000, tokenMs: 60 * 60_000 } as const

/** A request, as the authorization request described it. */
export type Asked = {
  provider: ProviderName
  clientId: string
  redirectUri: string
  state: string
  scopes: readonly string[]
  nonce: string | undefined
  codeChallenge: string | undefined
}
export type Grant = {
  asked: Asked
  granted: Granted
  trial: Trial | undefined
}

const random = () => randomBytes(24).toString('base64url')

const createShelf = <Value>(lifeMs: number, clock: { now: () => number }) => {
  const kept = new Map<string, { value: Value; until: number }>()
  const get = (key: string): Value | undefined => {
    const entry = kept.get(key)
    return entry && entry.until > clock.now() ? entry.value : undefined
  }
  return {
    get,
    put: (value: Value, key = random(), forMs = lifeMs) => {
      for (const [old, { until }] of kept) if (until <= clock.now()) kept.delete(old)
      kept.set(key, { value, until: clock.now() + forMs })
      return key
    },
    take: (key: string): Value | undefined => {
      const value = get(key)
      kept.delete(key)
      return value
    },
  }
}

export const createGrants = (clock: { now: () => number }) => {
  const asked = createShelf<Asked>(lives.askedMs, clock)
  const codes = createShelf<Grant>(lives.codeMs, clock)
  const tokens = createShelf<Grant>(lives.tokenMs, clock)
  const known = new Set<string>()
  const counts = { codes: 0, exchanges: 0 }
  return {
    ask: (request: Asked) => asked.put(request),
    look: asked.get,
    /** A consent is given once. */
    answer: asked.take,
    grant: (grant: Grant): string => {
      counts.codes += 1
      return codes.put(grant, random(), grant.trial === 'expired-code' ? 0 : lives.codeMs)
    },
    /** Uses up the code, even if the exchange fails. */
    exchange: (code: string): Grant | undefined => {
      counts.exchanges += 1
      return codes.take(code)
    },
    newToken: random,
    admit: (grant: Grant) => tokens.put(grant, grant.granted.accessToken),
    bearer: tokens.get,
    /** True the first time that a client gets to know somebody. */
    isFirstTime: (clientId: string, subject: string): boolean => {
      const key = `${clientId}/${subject}`
      if (known.has(key)) return false
      known.add(key)
      return true
    },
    counts: () => ({ ...counts }),
  }
}
export type Grants = ReturnType<typeof createGrants>
