import * as v from 'valibot'
import { id, text } from '../entities/primitives.ts'
import { time } from './fields.ts'
import { operatorRoleNames } from './roles.ts'
import type { AdminRoutes } from './route.ts'

/** How an operator signs in: by an own passkey, or by the OpenID provider. */
export const operatorSignIns = ['passkey', 'oidc'] as const
export type OperatorSignIn = (typeof operatorSignIns)[number]

const operator = v.object({
  id,
  email: text,
  role: v.picklist(operatorRoleNames),
  /** The only app of the operator, or null for every app. */
  appId: v.nullable(text),
  signIn: v.picklist(operatorSignIns),
  /** `invited` until a passkey is registered. Operators of the OpenID provider are active at once. */
  state: v.picklist(['invited', 'active', 'revoked']),
  createdAt: time,
  lastSignInAt: v.nullable(time),
})
export type AdminOperator = v.InferOutput<typeof operator>

const key = v.object({
  id,
  name: text,
  /** The name of the operator with this key. */
  operator: v.nullable(text),
  scopes: v.array(text),
  appId: v.nullable(text),
  networks: v.array(text),
  createdAt: time,
  expiresAt: time,
  revokedAt: v.nullable(time),
  /** The start of the last day on which the key was used. */
  lastUsedOn: v.nullable(time),
})
export type AdminKeyObject = v.InferOutput<typeof key>

const read = { method: 'GET', scopes: ['operators:read'], effect: 'reads', status: 200 } as const
const revoke = {
  method: 'DELETE',
  scopes: ['operators:write'],
  effect: 'changes',
  needsConfirmation: true,
  status: 200,
} as const

export const adminOperatorRoutes = {
  listOperators: {
    ...read,
    path: '/operators',
    summary: 'lists the operators of the dashboard that the key may see, oldest first',
    output: v.object({ data: v.array(operator) }),
    errors: [],
  },
  revokeOperator: {
    ...revoke,
    path: '/operators/{operator}',
    summary: 'ends the sessions of an operator, and refuses their sign-ins from now on',
    output: v.object({ id }),
    errors: ['operator_not_found', 'idempotency_key_reused'],
  },
  listAdminKeys: {
    ...read,
    path: '/keys',
    summary: 'lists the admin keys that the key may see, without their secrets, oldest first',
    output: v.object({ data: v.array(key) }),
    errors: [],
  },
  revokeAdminKey: {
    ...revoke,
    path: '/keys/{key}',
    summary: 'refuses an admin key from now on',
    output: v.object({ id }),
    errors: ['key_not_found', 'idempotency_key_reused'],
  },
} as const satisfies AdminRoutes
