/** The calls of the dialog, as its user: with the session's token, which is renewed where it has run out. */
import { LatchkeyError } from '@latchkey/protocol'
import { coreRoutes } from '@latchkey/protocol/api'
import type { Cancellable } from '../waiting.ts'
import { httpStatus } from './problem.ts'
import type { Asker, Body, Output, RouteName, Transport } from './transport.ts'

/** A route without a body is called by its name alone. */
export type CallArguments<Name extends RouteName> =
  undefined extends Body<Name> ? [body?: undefined, asker?: Asker] : [body: Body<Name>, asker?: Asker]

export type Api = {
  readonly call: <Name extends RouteName>(name: Name, ...call: CallArguments<Name>) => Promise<Output<Name>>
}

export type TokenSource = {
  /** What is stored, whatever its age. */
  readonly storedToken: () => string | null
  /** Renewed first if it is about to run out; null for a visitor. */
  readonly activeToken: (asker?: Cancellable) => Promise<string | null>
  /** Renewed because the server did not take this one; null when the session is over. */
  readonly replaceToken: (refused: string, asker?: Cancellable) => Promise<string | null>
}

/** Paths that change the session themselves: a refresh in front of one would change what it is about. */
const sessionChanging: ReadonlySet<RouteName> = new Set<RouteName>([
  'refreshSession',
  'recoverFork',
  'redeemSessionCode',
  'logout',
  'analyticsEvent',
])

export function createApi(ports: { readonly transport: Transport; readonly tokens: TokenSource }): Api {
  const { transport, tokens } = ports

  async function call(name: RouteName, body: unknown, { signal, onNetwork }: Asker): Promise<unknown> {
    const send = (token: string | null) => transport.send(name, body as never, { token, signal, onNetwork })
    if (sessionChanging.has(name)) return send(tokens.storedToken())
    const isForAnybody = coreRoutes[name].auth === 'none'
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

  return { call: (name, ...[body, asker = {}]) => call(name, body, asker) as Promise<never> }
}

const isRefusedToken = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'missing_or_invalid_token' && httpStatus(error) === 401
