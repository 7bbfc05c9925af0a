export {
  type AdminClient,
  type AuditEntry,
  type AuditFilter,
  createAdminClient,
  type ListedUser,
  type UserFilter,
  type UserLookUp,
} from './client.ts'
export type { ContractDescriptor } from './descriptors.ts'
export { LatchkeyAdminError, type LatchkeyAdminErrorCode } from './errors.ts'
export type { Hook } from './hooks.ts'
export type { Import, ImportPart, ImportReportRow } from './imports.ts'
export type { Message, MessageName } from './messages.ts'
export type { OidcProvider } from './oidc.ts'
export type { Proposal } from './proposals.ts'
export type { AdminClientOptions, CallOptions, ChangeOptions } from './request.ts'
export type { DeliveryFilter, Replay, Webhook, WebhookDelivery } from './webhooks.ts'
