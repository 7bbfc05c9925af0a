import * as v from 'valibot'
import { id, text } from '../entities/primitives.ts'
import { limitInQuery, time } from './fields.ts'
import { adminLimits } from './limits.ts'
import type { AdminRoutes } from './route.ts'

const { maxSettingPathLength, mostAllowlistChanges } = adminLimits

const listedApp = v.object({
  id,
  name: text,
  environment: v.picklist(['development', 'production']),
  allowedOrigins: v.array(text),
  createdAt: time,
  updatedAt: time,
})
export type AdminListedApp = v.InferOutput<typeof listedApp>

/** Values by the names of `docs/reference/app-settings.md`. */
export const appSettings = v.record(v.pipe(v.string(), v.maxLength(maxSettingPathLength)), v.unknown())

const app = v.object({ ...listedApp.entries, settings: appSettings })

const requester = v.object({
  clientId: text,
  name: text,
  origin: text,
  redirectAddresses: v.array(text),
  hasKey: v.boolean(),
})

const allowlistEntry = v.object({ type: text, identifier: text })
const allowlistChange = v.exactOptional(v.pipe(v.array(allowlistEntry), v.maxLength(mostAllowlistChanges)))

const read = { scopes: ['apps:read'], effect: 'reads', method: 'GET', status: 200 } as const
const change = { scopes: ['apps:write'], effect: 'changes', status: 200 } as const
const bodyErrors = ['idempotency_key_reused', 'payload_too_large', 'unsupported_media_type'] as const

export const adminAppRoutes = {
  listApps: {
    ...read,
    path: '/apps',
    summary: 'lists the apps that the key may act on, newest first',
    query: v.object({ after: v.exactOptional(text), limit: v.exactOptional(limitInQuery) }),
    output: v.object({ data: v.array(listedApp), next: v.nullable(text) }),
    errors: [],
  },
  createApp: {
    ...change,
    method: 'POST',
    path: '/apps',
    status: 201,
    summary: 'creates an app. The key must be for every app',
    body: v.object({
      name: text,
      environment: v.exactOptional(v.picklist(['development', 'production'])),
      allowedOrigins: v.exactOptional(v.array(text)),
    }),
    output: v.object({ id }),
    errors: ['key_of_one_app', ...bodyErrors],
  },
  getApp: {
    ...read,
    path: '/apps/{app}',
    etag: true,
    summary: 'returns an app with its settings',
    output: app,
    errors: ['app_not_found'],
  },
  updateApp: {
    ...change,
    method: 'PATCH',
    path: '/apps/{app}',
    etag: true,
    summary:
      'changes settings of an app, all or none. A change that widens approvals, logins or origins needs a proposal',
    body: v.object({ settings: appSettings }),
    output: app,
    errors: ['app_not_found', 'needs_proposal', 'not_supported', 'precondition_failed', ...bodyErrors],
  },
  listAllowlist: {
    ...read,
    // The entries are addresses.
    scopes: ['users:read'],
    path: '/apps/{app}/allowlist',
    summary: 'lists the accounts that may log in while `allowlist_enabled` is true',
    query: v.object({ after: v.exactOptional(text), limit: v.exactOptional(limitInQuery) }),
    output: v.object({ data: v.array(allowlistEntry), next: v.nullable(text) }),
    errors: ['app_not_found'],
  },
  updateAllowlist: {
    ...change,
    method: 'PATCH',
    path: '/apps/{app}/allowlist',
    summary: 'adds and removes entries of the allowlist, all or none',
    body: v.object({ add: allowlistChange, remove: allowlistChange }),
    output: v.object({ added: v.number(), removed: v.number() }),
    errors: ['app_not_found', ...bodyErrors],
  },
  listRequesters: {
    ...read,
    path: '/apps/{app}/requesters',
    summary: 'lists the apps that may ask users of this one for their wallets',
    output: v.object({ data: v.array(requester) }),
    errors: ['app_not_found'],
  },
  removeRequester: {
    ...change,
    needsConfirmation: true,
    method: 'DELETE',
    path: '/apps/{app}/requesters/{requester}',
    summary: 'removes such an app, and ends its connections',
    output: v.object({ clientId: text, connectionsEnded: v.number() }),
    errors: ['app_not_found', 'requester_not_found', 'idempotency_key_reused'],
  },
} as const satisfies AdminRoutes
