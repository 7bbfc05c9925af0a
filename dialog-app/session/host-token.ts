/** The one token that a host may have: it names the user and opens nothing. */
import type { ServerTime } from '../api/server-time.ts'
import type { Cancellable } from '../browser/waiting.ts'
import type { Credentials } from './credentials.ts'
import { readClaims } from './token.ts'
import type { Tokens } from './tokens.ts'

/** How long it still lives crosses as seconds: the clock of a host's page may be hours off. */
export type HostToken = { readonly token: string; readonly expiresInSeconds: number }

export function createHostToken(ports: {
  readonly serverTime: ServerTime
  readonly credentials: Credentials
  readonly tokens: Tokens
}): (asker?: Cancellable) => Promise<HostToken | null> {
  const { serverTime, credentials, tokens } = ports
  return async (asker) => {
    const kept = await tokens.fresh((now) => !credentials.isActive(now.hostToken), asker)
    const token = kept?.hostToken ?? null
    const claims = credentials.isActive(token) ? readClaims(token) : undefined
    if (token === null || !claims) return null
    return { token, expiresInSeconds: Math.floor(claims.exp - serverTime.nowMs() / 1_000) }
  }
}
