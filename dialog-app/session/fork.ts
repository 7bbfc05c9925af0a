/** A session that another browser context starts from this one, and that ends with it. */
import { LatchkeyError } from '@latchkey/protocol'
import { type RouteOutput, sessionRoutes } from '@latchkey/protocol/api'
import type { Api, TokenSource } from '../api/client.ts'
import type { Transport } from '../api/transport.ts'
import type { Cancellable } from '../waiting.ts'
import type { Credentials } from './credentials.ts'
import type { SessionKeeper, SessionMode } from './kept-session.ts'
import type { Tokens } from './tokens.ts'

export type ForkedSession = { readonly token: string; readonly refreshToken: string }

export function createFork(ports: {
  readonly mode: SessionMode
  readonly transport: Transport
  readonly keeper: SessionKeeper
  readonly credentials: Credentials
  readonly tokens: Tokens
}): (asker?: Cancellable) => Promise<ForkedSession> {
  const { mode, transport, keeper, credentials, tokens } = ports
  return async (asker = {}) => {
    const { signal } = asker
    const kept = await tokens.fresh((now) => !credentials.isActive(now.accessToken), asker)
    if (!kept || kept.accessToken === null) throw mustBeAuthenticated()
    return tokens.inLock(async () => {
      const before = credentials.read()
      const sending = { token: before.accessToken, signal }
      const answer = await transport.send(sessionRoutes.forkSession, credentials.presented(before), sending)
      const now = keeper.read()
      if (mode === 'storage' && now.refreshToken === before.refreshToken) {
        keeper.write({ ...now, refreshToken: answer.newSessionRefreshToken })
      }
      return { token: answer.token, refreshToken: answer.refreshToken }
    }, signal)
  }
}

export type ForkCode = RouteOutput<(typeof sessionRoutes)['createSessionCode']>

/** The form in which a fork reaches a host: a code that is used once, and no secret afterwards. */
export const createForkCode =
  (ports: { readonly api: Api; readonly tokens: TokenSource }) =>
  async (asker: Cancellable = {}): Promise<ForkCode> => {
    if ((await ports.tokens.activeToken(asker)) === null) throw mustBeAuthenticated()
    return ports.api.call(sessionRoutes.createSessionCode, {}, asker)
  }

const mustBeAuthenticated = () => new LatchkeyError('must_be_authenticated', 'Nobody is logged in')
