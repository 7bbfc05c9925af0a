/** A session that another browser context starts from this one, and that ends with it. */
import { LatchkeyError } from '@latchkey/protocol'
import { type RouteOutput, sessionRoutes } from '@latchkey/protocol/api'
import type { Api, TokenSource } from '../api/client.ts'
import type { Cancellable } from '../waiting.ts'

export type ForkCode = RouteOutput<(typeof sessionRoutes)['createSessionCode']>

/** The form in which a fork reaches a host: a code that is used once, and no secret afterwards. */
export const createForkCode =
  (ports: { readonly api: Api; readonly tokens: TokenSource }) =>
  async (asker: Cancellable = {}): Promise<ForkCode> => {
    if ((await ports.tokens.activeToken(asker)) === null) throw mustBeAuthenticated()
    return ports.api.call(sessionRoutes.createSessionCode, {}, asker)
  }

const mustBeAuthenticated = () => new LatchkeyError('must_be_authenticated', 'Nobody is logged in')
