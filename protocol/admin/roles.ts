/** Roles of operators. A role is a set of scopes, for one app or for every app. */
import { type AdminScope, adminScopeNames } from './route.ts'

type OperatorRoleRow = {
  /** Describes the role to operators, as a sentence. */
  meaning: string
  scopes: AdminScope[]
}

export const operatorRoles = {
  owner: { meaning: 'Does everything, and revokes operators and admin keys.', scopes: adminScopeNames },
  admin: {
    meaning: 'Does everything but revoke operators and admin keys.',
    scopes: adminScopeNames.filter((scope) => scope !== 'operators:write'),
  },
  developer: {
    meaning: 'Manages apps and webhooks. Sees no users.',
    scopes: ['apps:read', 'apps:write', 'approvals:propose', 'webhooks:read', 'webhooks:write', 'stats:read'],
  },
  support: {
    meaning: 'Helps users, whose addresses are masked: sessions, blocks and verification methods.',
    scopes: ['apps:read', 'users:read.masked', 'users:support'],
  },
  auditor: {
    meaning: 'Reads the audit log, and the lists of operators and admin keys.',
    scopes: ['apps:read', 'audit:read', 'operators:read', 'stats:read'],
  },
  viewer: {
    meaning: 'Sees users with masked addresses, apps, webhooks and statistics. Changes nothing.',
    scopes: ['apps:read', 'users:read.masked', 'webhooks:read', 'stats:read'],
  },
} as const satisfies Readonly<Record<string, OperatorRoleRow>>

export type OperatorRole = keyof typeof operatorRoles
export const operatorRoleNames = Object.keys(operatorRoles) as OperatorRole[]

/** The scopes of a role. */
export const scopesOfRole = (role: OperatorRole): AdminScope[] => [...operatorRoles[role].scopes]
