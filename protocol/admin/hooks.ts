/**
 * Hooks: questions to a backend of the operator, which it answers within two seconds. They never ask about anything
 * that adds authority, such as a linked account, a verification method or an approval.
 */
import * as v from 'valibot'
import { id, text } from '../entities/primitives.ts'
import { time } from './fields.ts'
import { adminLimits } from './limits.ts'
import type { AdminRoutes } from './route.ts'

/** The kinds of hooks, each with the end of "Asked …", without a full stop. */
export const hookKinds = {
  'login.before': 'before a login, after the user has proven the account',
  'token.claims': 'once a session, for claims of its host tokens',
  'message.send': 'to send a login code or a notice instead of the server',
} as const
export type HookKind = keyof typeof hookKinds
export const hookKindNames = Object.keys(hookKinds) as HookKind[]

/**
 * The kinds that the Admin API creates. `message.send` receives login codes, so a stolen key could log in as any user
 * with it.
 */
const creatableKinds = ['login.before', 'token.claims'] as const satisfies HookKind[]

/** The claim of a host token that holds the answer of `token.claims`. */
export const hookClaimsName = 'app_claims'

/** The outcome if the backend gives no valid answer. */
export const hookFailureModes = ['allow', 'deny'] as const
const states = ['enabled', 'disabled'] as const

const url = v.pipe(v.string(), v.maxLength(adminLimits.maxUrlLength), v.url())
const onFailure = v.picklist(hookFailureModes)

const hook = v.object({
  id,
  appId: text,
  kind: v.picklist(hookKindNames),
  url: text,
  onFailure,
  state: v.picklist(states),
  createdAt: time,
})
export type AdminHook = v.InferOutput<typeof hook>

const secret = v.object({ secret: text, publicKey: text, expiresAt: v.nullable(time) })

const read = { scopes: ['webhooks:read', 'webhooks:write'], effect: 'reads', status: 200 } as const
const change = { scopes: ['webhooks:write'], effect: 'changes', status: 200 } as const
const ofApp = ['app_not_found'] as const
const ofHook = [...ofApp, 'hook_not_found'] as const
const withBody = ['idempotency_key_reused', 'payload_too_large', 'unsupported_media_type'] as const

export const adminHookRoutes = {
  listHooks: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/hooks',
    summary: 'lists the hooks of an app',
    output: v.object({ data: v.array(hook) }),
    errors: ofApp,
  },
  createHook: {
    ...change,
    method: 'POST',
    path: '/apps/{app}/hooks',
    etag: true,
    summary:
      'creates a hook with a new secret, which `readHookSecret` returns. An app has one of each kind. `latchkey app hooks` creates `message.send`',
    body: v.object({ kind: v.picklist(creatableKinds), url, onFailure }),
    output: v.object({ id }),
    errors: [...ofApp, 'url_not_allowed', 'hook_exists', ...withBody],
  },
  getHook: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/hooks/{hook}',
    etag: true,
    summary: 'returns a hook',
    output: hook,
    errors: ofHook,
  },
  updateHook: {
    ...change,
    method: 'PATCH',
    path: '/apps/{app}/hooks/{hook}',
    etag: true,
    summary: 'changes a hook, disables it or enables it again. `message.send` can only be disabled',
    body: v.object({
      url: v.exactOptional(url),
      onFailure: v.exactOptional(onFailure),
      state: v.exactOptional(v.picklist(states)),
    }),
    output: v.object({ id }),
    errors: [...ofHook, 'url_not_allowed', 'not_supported', 'precondition_failed', ...withBody],
  },
  deleteHook: {
    ...change,
    needsConfirmation: true,
    method: 'DELETE',
    path: '/apps/{app}/hooks/{hook}',
    summary: 'deletes a hook with its secrets',
    output: v.object({ id }),
    errors: [...ofHook, 'precondition_failed', 'idempotency_key_reused'],
  },
  readHookSecret: {
    ...read,
    needsConfirmation: true,
    scopes: ['webhooks:write'],
    method: 'GET',
    path: '/apps/{app}/hooks/{hook}/secret',
    summary: 'returns the secrets that sign questions, newest first, with their public keys',
    output: v.object({ data: v.array(secret) }),
    errors: ofHook,
  },
  rotateHookSecret: {
    ...change,
    needsConfirmation: true,
    method: 'POST',
    path: '/apps/{app}/hooks/{hook}/secret/rotate',
    summary: 'creates another secret. Earlier ones sign too for 24 hours',
    output: v.object({ id, earlierExpireAt: time }),
    errors: [...ofHook, 'idempotency_key_reused'],
  },
} as const satisfies AdminRoutes
