/**
 * Calls of the Admin API. A capability lists them as `adminEndpoints`, one per row of `protocol/admin`.
 * `platform/admin` mounts them and handles the generic parts: key, scope, app, input, idempotency, audit and errors.
 */
import type { AdminErrorCode, AdminRoute, AdminRouteOutput, AdminScope } from '@latchkey/protocol/admin'
import type * as v from 'valibot'
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'

/** An expected failure of an admin call. `adminErrors` maps its code to a status. */
export class AdminError extends Error {
  override name = 'AdminError'
  code: AdminErrorCode
  /** The invalid field, in wire names. */
  path: string | undefined
  retryAfterSeconds: number | undefined
  /** Further members of the problem document, in wire names. */
  members: object | undefined

  constructor(
    code: AdminErrorCode,
    detail: string,
    options: {
      path?: string | undefined
      retryAfterSeconds?: number | undefined
      members?: object
      cause?: unknown
    } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.path = options.path
    this.retryAfterSeconds = options.retryAfterSeconds
    this.members = options.members
  }
}

/** The authenticated caller of the Admin API: an admin key, or an operator of the dashboard. */
export type AdminCaller = {
  /** The id of the admin key, or `operator:<id>`. */
  id: string
  /** The name of the operator, or null for a key of a program. Proposals need two operators. */
  operator: string | null
  scopes: AdminScope[]
  /** The only app that the caller may act on, or null for every app. */
  appId: string | null
}

type Parsed<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined

/** A file of an upload, inflated. It throws when it is read beyond the limit, or if its compression is broken. */
export type UploadedFile = { mediaType: string; chunks: AsyncIterable<Uint8Array> }

export type AdminCall<R extends AdminRoute = AdminRoute> = {
  caller: AdminCaller
  /** The app of the path, which exists and belongs to the key. Empty for calls without an app. */
  appId: string
  /** Other path parameters, each a well-formed id. */
  params: Readonly<Record<string, string>>
  query: Parsed<R['query']>
  body: Parsed<R['body']>
  /** The file of an upload. */
  file: R extends { upload: unknown } ? UploadedFile : undefined
  /** The `If-Match` header. */
  ifMatch: string | undefined
}

export type AdminAnswer<R extends AdminRoute> = {
  output: AdminRouteOutput<R>
  /** The digest of the object after the call, for `ETag` and the audit log. Null if it was deleted. */
  digest?: string | null
  /** The digest before a change. */
  before?: string
  /** The app of the audit entry, if the path names none. */
  appId?: string
}

export type AdminEndpoint = { route: AdminRoute } & (
  | { read: (call: AdminCall, context: ServerContext) => Promise<AdminAnswer<AdminRoute>> }
  | {
      prepare?: (call: AdminCall, context: ServerContext) => Promise<unknown>
      change: (
        trx: Trx,
        call: AdminCall,
        context: ServerContext,
        prepared: unknown,
      ) => Promise<AdminAnswer<AdminRoute>>
    }
  | { stream: (call: AdminCall, context: ServerContext) => Promise<AdminStream<AdminRoute>> }
)

/** Batches of lines. Each batch is sent before the next one is read. */
export type AdminStream<R extends AdminRoute> = AsyncIterable<AdminRouteOutput<R>[]>

export const adminRead = <const R extends AdminRoute & { effect: 'reads'; stream?: never }>(
  route: R,
  read: (call: AdminCall<R>, context: ServerContext) => Promise<AdminAnswer<R>>,
): AdminEndpoint => ({ route, read: (call, context) => read(call as AdminCall<R>, context) })

/** The change must only await SQL on its `trx`, because the transaction may run again. */
export const adminChange = <const R extends AdminRoute & { effect: 'changes' }>(
  route: R,
  change: (trx: Trx, call: AdminCall<R>, context: ServerContext) => Promise<AdminAnswer<R>>,
): AdminEndpoint => ({ route, change: (trx, call, context) => change(trx, call as AdminCall<R>, context) })

/** Like `adminChange`. `prepare` runs once before the transaction, for work such as encryption. */
export const adminPreparedChange = <const R extends AdminRoute & { effect: 'changes' }, Prepared>(
  route: R,
  prepare: (call: AdminCall<R>, context: ServerContext) => Promise<Prepared>,
  change: (
    trx: Trx,
    call: AdminCall<R>,
    context: ServerContext,
    prepared: Prepared,
  ) => Promise<AdminAnswer<R>>,
): AdminEndpoint => ({
  route,
  prepare: (call, context) => prepare(call as AdminCall<R>, context),
  change: (trx, call, context, prepared) => change(trx, call as AdminCall<R>, context, prepared as Prepared),
})

export const adminStream = <const R extends AdminRoute & { stream: true }>(
  route: R,
  stream: (call: AdminCall<R>, context: ServerContext) => Promise<AdminStream<R>>,
): AdminEndpoint => ({ route, stream: (call, context) => stream(call as AdminCall<R>, context) })
