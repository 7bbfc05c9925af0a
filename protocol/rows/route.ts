/** A row of boundary 3: one HTTP call, said once for the server, the dialog, the wallet frame and OpenAPI. */
import type * as v from 'valibot'
import type { Schema } from '../channel/contract.ts'
import type { ErrorCode } from '../errors/error-codes.ts'
import type { WalletPurpose } from '../vault/purposes.ts'

/**
 * Who may call. `none`: anybody. `identity`: any valid token names the user (host token included), so the route
 * only reads what a host may know. `dialog`: the dialog's token, with a proof of the browser's key on every call.
 * `wallet`: the token of one step of one vault's operation, 60 s. `dialog or wallet`: either of these two.
 */
export type RouteAuth = 'none' | 'identity' | 'dialog' | 'wallet' | 'dialog or wallet'

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below `/api/v1`; `{name}` is a path parameter. */
  path: `/${string}`
  auth: RouteAuth
  /** Whether a session that was forked from another may call. */
  forks: boolean
  /** A route for wallet tokens says what they may have been made for. */
  purposes?: readonly WalletPurpose[]
  /**
   * A changing call needs the exact origin of a first-party page, `application/json` and the app-id header.
   * `replayed`: the answer of a request id is kept and given again. `counts`: a change that nobody waits for and
   * that may be lost.
   */
  effect: 'reads' | 'counts' | 'changes' | 'changes, replayed'
  /** The session that calls is over with it: to be answered again, its token is still taken, and decides nothing. */
  endsSession?: true
  /** The header of the app is needed on all but calls that name the app in their path. */
  appHeader: boolean
  body?: Schema
  /** Where it may have more than others. */
  maxBodyBytes?: number
  query?: Schema
  /** That this call alone has. */
  headers?: Schema
  output: Schema
}
export type Routes = Readonly<Record<string, Route>>

/** What is said of a row, apart from it: no browser has a use for the sentences. */
export type RouteDoc = { summary: string; errors: readonly ErrorCode[] }
export type RoutesDoc<Of extends Routes = Routes> = { [Name in keyof Of]: RouteDoc }

export type RouteBody<R extends Route> = R['body'] extends Schema ? v.InferInput<R['body']> : undefined
export type RouteOutput<R extends Route> = v.InferOutput<R['output']>

export const apiPrefix = '/api/v1'
