/** API calls of the dialog with the session's token, which is refreshed when it has expired. */
import { LatchkeyError } from '@latchkey/protocol'
import {
  analyticsRoutes,
  type Route,
  type RouteBody,
  type RouteOutput,
  sessionRoutes,
} from '@latchkey/protocol/api'
import type { Cancellable } from '../browser/waiting.ts'
import { httpStatus, isOfProvider } from './problem.ts'
import type { CallOptions, Transport } from './transport.ts'

/** The arguments of a call. A route without a body needs none. */
export type CallArguments<R extends Route> =
  undefined extends RouteBody<R>
    ? [body?: undefined, options?: CallOptions]
    : [body: RouteBody<R>, options?: CallOptions]

export type Api = {
  call: <R extends Route>(route: R, ...call: CallArguments<R>) => Promise<RouteOutput<R>>
}

export type TokenSource = {
  /** Returns the stored token, regardless of its expiry. */
  storedToken: () => string | null
  /** Returns an access token, refreshed first if it is about to expire, or null for a visitor. */
  activeToken: (options?: Cancellable) => Promise<string | null>
  /** Replaces a token that the server refused. Returns null if the session is over. */
  replaceToken: (refused: string, options?: Cancellable) => Promise<string | null>
}

/** Routes that change the session themselves. A refresh before such a call would change its subject. */
const sessionChanging: ReadonlySet<Route> = new Set<Route>([
  sessionRoutes.refreshSession,
  sessionRoutes.recoverFork,
  sessionRoutes.redeemSessionCode,
  sessionRoutes.logout,
  analyticsRoutes.analyticsEvent,
])

export function createApi(ports: { transport: Transport; tokens: TokenSource }): Api {
  const { transport, tokens } = ports

  async function call(route: Route, body: unknown, options: CallOptions): Promise<unknown> {
    const { signal, onNetwork, headers, query, params, retries } = options
    const send = (token: string | null) =>
      transport.send(route, body as never, { token, signal, onNetwork, headers, query, params, retries })
    if (sessionChanging.has(route)) return send(tokens.storedToken())
    const isForAnybody = route.auth === 'none'
    const token = isForAnybody ? tokens.storedToken() : await tokens.activeToken({ signal })
    try {
      return await send(token)
    } catch (error) {
      if (token === null || !isRefusedToken(error)) throw error
      const fresh = await tokens.replaceToken(token, { signal })
      if (fresh === null || fresh === token) throw error
      return send(fresh)
    }
  }

  return { call: (route, ...[body, options = {}]) => call(route, body, options) as Promise<never> }
}

const isRefusedToken = (error: unknown) =>
  error instanceof LatchkeyError &&
  error.code === 'missing_or_invalid_token' &&
  httpStatus(error) === 401 &&
  !isOfProvider(error)
