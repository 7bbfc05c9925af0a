/**
 * Boundary 4: programs of operators and the Admin API. The server parses calls with these rows. OpenAPI, the reference
 * page and the types of the client in `sdk/server` are generated from them.
 */
import { adminApprovalRoutes } from './approvals.ts'
import { adminAppRoutes } from './apps.ts'
import { auditRoutes } from './audit.ts'
import { adminDescriptorRoutes } from './descriptors.ts'
import { adminExportRoutes } from './exports.ts'
import { adminHookRoutes } from './hooks.ts'
import { adminImportRoutes } from './imports.ts'
import { adminMessageRoutes } from './messages.ts'
import { adminOidcRoutes } from './oidc-providers.ts'
import { adminOperatorRoutes } from './operators.ts'
import { adminProposalRoutes } from './proposals.ts'
import { adminSponsoredRoutes } from './sponsored.ts'
import { adminStatsRoutes } from './stats.ts'
import { adminUserRoutes } from './users.ts'
import { adminWebhookRoutes } from './webhooks.ts'

export * from './approvals.ts'
export * from './apps.ts'
export * from './audit.ts'
export * from './descriptors.ts'
export * from './errors.ts'
export * from './exports.ts'
export * from './hooks.ts'
export * from './imports.ts'
export * from './limits.ts'
export * from './messages.ts'
export * from './oidc-providers.ts'
export * from './operators.ts'
export * from './proposals.ts'
export * from './roles.ts'
export * from './route.ts'
export * from './sign-in.ts'
export * from './sponsored.ts'
export * from './stats.ts'
export * from './users.ts'
export * from './webhook-events.ts'
export * from './webhooks.ts'

/** All calls of the Admin API. */
export const adminRoutes = {
  ...adminUserRoutes,
  ...adminExportRoutes,
  ...adminImportRoutes,
  ...adminAppRoutes,
  ...adminApprovalRoutes,
  ...adminProposalRoutes,
  ...adminWebhookRoutes,
  ...adminHookRoutes,
  ...adminMessageRoutes,
  ...adminOidcRoutes,
  ...adminDescriptorRoutes,
  ...auditRoutes,
  ...adminStatsRoutes,
  ...adminSponsoredRoutes,
  ...adminOperatorRoutes,
} as const
