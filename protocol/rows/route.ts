/** A row of boundary 3: one HTTP call, defined once for server, dialog, wallet frame and OpenAPI. */
import type * as v from 'valibot'
import type { Schema } from '../channel/contract.ts'
import type { ErrorCode } from '../errors/error-codes.ts'
import type { WalletPurpose } from '../vault/purposes.ts'

/**
 * The required token. `none`: public. `identity`: any valid token, including host tokens, so the route only reads what
 * a host may know. `dialog`: a dialog token with a proof by the browser's key on every call. `wallet`: the token of one
 * step of one vault operation, valid for 60 s. `dialog or wallet`: either of these two.
 */
export type RouteAuth = 'none' | 'identity' | 'dialog' | 'wallet' | 'dialog or wallet'

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Relative to `/api/v1`. `{name}` is a path parameter. */
  path: `/${string}`
  auth: RouteAuth
  /** Whether forked sessions may call it. */
  forks: boolean
  /** The accepted purposes of wallet tokens. */
  purposes?: readonly WalletPurpose[]
  /**
   * A changing call requires the exact origin of a first-party page, `application/json` and the app-id header.
   * `replayed`: the response of a request id is stored and returned again. `counts`: a fire-and-forget change that may
   * be lost.
   */
  effect: 'reads' | 'counts' | 'changes' | 'changes, replayed'
  /** The call ends its session. A retry may still send the ended session's token to get the stored response. */
  endsSession?: true
  /** Whether the app-id header is required. It is not for paths that contain the app id. */
  appHeader: boolean
  body?: Schema
  /** Overrides the default body limit. */
  maxBodyBytes?: number
  query?: Schema
  /** Headers of this call only. */
  headers?: Schema
  output: Schema
}
export type Routes = Readonly<Record<string, Route>>

/** The description of a row, kept apart so that browsers do not load it. */
export type RouteDoc = { summary: string; errors: readonly ErrorCode[] }
export type RoutesDoc<Of extends Routes = Routes> = { [Name in keyof Of]: RouteDoc }

export type RouteBody<R extends Route> = R['body'] extends Schema ? v.InferInput<R['body']> : undefined
export type RouteOutput<R extends Route> = v.InferOutput<R['output']>

export const apiPrefix = '/api/v1'
