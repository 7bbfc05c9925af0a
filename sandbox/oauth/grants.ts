/**
 * Authorization requests, codes and tokens. A code is valid for one minute and one use, a token for an hour.
 */
import { randomBytes } from 'node:crypto'
import type { GrantedAccess, Trial } from './provider.ts'
import type { ProviderName } from './providers.ts'

const lives = { askedMs: 10 * 60_000, codeMs: 60_000, tokenMs: 60 * 60_000 } as const

/** The parameters of an authorization request. */
export type AuthorizationRequest = {
  provider: ProviderName
  clientId: string
  redirectUri: string
  state: string
  scopes: readonly string[]
  nonce: string | undefined
  codeChallenge: string | undefined
}
export type Grant = {
  authorization: AuthorizationRequest
  access: GrantedAccess
  trial: Trial | undefined
}

const random = () => randomBytes(24).toString('base64url')

const createStore = <Value>(lifeMs: number, clock: { now: () => number }) => {
  const entries = new Map<string, { value: Value; until: number }>()
  const get = (key: string): Value | undefined => {
    const entry = entries.get(key)
    return entry && entry.until > clock.now() ? entry.value : undefined
  }
  return {
    get,
    put: (value: Value, key = random(), forMs = lifeMs) => {
      for (const [old, { until }] of entries) if (until <= clock.now()) entries.delete(old)
      entries.set(key, { value, until: clock.now() + forMs })
      return key
    },
    take: (key: string): Value | undefined => {
      const value = get(key)
      entries.delete(key)
      return value
    },
  }
}

export const createGrants = (clock: { now: () => number }) => {
  const requests = createStore<AuthorizationRequest>(lives.askedMs, clock)
  const codes = createStore<Grant>(lives.codeMs, clock)
  const tokens = createStore<Grant>(lives.tokenMs, clock)
  const knownUsers = new Set<string>()
  const counts = { codes: 0, exchanges: 0 }
  return {
    addRequest: (request: AuthorizationRequest) => requests.put(request),
    look: requests.get,
    /** Returns the request and deletes it: consent is given once. */
    takeRequest: requests.take,
    grant: (grant: Grant): string => {
      counts.codes += 1
      return codes.put(grant, random(), grant.trial === 'expired-code' ? 0 : lives.codeMs)
    },
    /** Consumes the code, even if the exchange fails. */
    exchange: (code: string): Grant | undefined => {
      counts.exchanges += 1
      return codes.take(code)
    },
    newToken: random,
    storeToken: (grant: Grant) => tokens.put(grant, grant.access.accessToken),
    findByToken: tokens.get,
    /** Returns true the first time that a person logs in to a client. */
    isFirstTime: (clientId: string, subject: string): boolean => {
      const key = `${clientId}/${subject}`
      if (knownUsers.has(key)) return false
      knownUsers.add(key)
      return true
    },
    counts: () => ({ ...counts }),
  }
}
export type Grants = ReturnType<typeof createGrants>
