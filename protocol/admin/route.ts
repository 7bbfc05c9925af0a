/** A row of boundary 4: one call of the Admin API, defined once for server, OpenAPI and client. */
import type * as v from 'valibot'
import type { Schema } from '../channel/contract.ts'
import type { AdminErrorCode } from './errors.ts'

/** The scopes of an admin key, each with a sentence for operators. */
export const adminScopes = {
  'users:read': 'Finds and shows users with their addresses.',
  'users:read.masked': 'Finds and shows users. E-mail addresses and phone numbers are masked.',
  'users:write': 'Ends sessions, blocks and unblocks users, and removes their verification methods.',
  'users:support': 'Does the same, but removes verification methods only together with another operator.',
  'users:delete': 'Deletes users and their wallets.',
  import: 'Imports users of an app, who prove their accounts with their first login.',
  export: 'Exports all users of an app with their addresses and metadata.',
  'webhooks:read': 'Shows webhooks with their deliveries, and hooks, without secrets.',
  'webhooks:write':
    'Creates, changes and deletes webhooks and hooks, reads their secrets, and sends deliveries again.',
  'apps:read': 'Shows apps and their settings.',
  'apps:write': 'Creates apps, and changes settings that widen no approval.',
  'approvals:propose': 'Proposes settings and requesters that need a second operator, and cancels proposals.',
  'approvals:agree': "Approves other operators' proposals, and applies or cancels proposals.",
  'stats:read': 'Reads the statistics of apps and the state of the server.',
  'audit:read': 'Reads the audit log of the Admin API.',
  'operators:read': 'Shows operators of the dashboard and admin keys, without secrets.',
  'operators:write': 'Revokes operators of the dashboard and admin keys.',
} as const
export type AdminScope = keyof typeof adminScopes
export const adminScopeNames = Object.keys(adminScopes) as AdminScope[]

export type AdminRoute = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/admin/v1`. `{name}` is a path parameter. */
  path: `/${string}`
  /** The key needs one of these. */
  scopes: Readonly<AdminScope[]>
  /** A changing call runs in one transaction with its audit row, and accepts an `Idempotency-Key`. */
  effect: 'reads' | 'changes'
  /**
   * The call destroys something or reveals a secret, so an operator of the dashboard confirms it with a passkey.
   * Programs with an admin key send no confirmation.
   */
  needsConfirmation?: true
  /** Returns an `ETag`, or compares `If-Match` with it. */
  etag?: true
  /** Answers with JSON objects, one a line (NDJSON). `output` describes one of them. */
  stream?: true
  /** Receives a file instead of JSON, with one of these media types. A repeated upload replaces the first. */
  upload?: Readonly<string[]>
  status: 200 | 201 | 202
  /** Completes "This call …", without a full stop. */
  summary: string
  query?: Schema
  body?: Schema
  /** The longest body, if it is not `adminLimits.maxBodyBytes`. */
  maxBodyBytes?: number
  output: Schema
  /** Codes besides `commonAdminErrors`. */
  errors: Readonly<AdminErrorCode[]>
}
export type AdminRoutes = Readonly<Record<string, AdminRoute>>

export type AdminRouteOutput<R extends AdminRoute> = v.InferOutput<R['output']>

export const adminPrefix = '/admin/v1'
