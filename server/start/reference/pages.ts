import { renderAdminApi } from './admin-api.ts'
import { renderAdminContract } from './admin-contract.ts'
import { renderAppSettings } from './app-settings.ts'
import { renderAuditEvents } from './audit-events.ts'
import { renderCommandLine } from './command-line.ts'
import { renderDataInventory } from './data-inventory.ts'
import { renderEnvironment } from './environment.ts'
import { renderMetrics } from './metrics.ts'
import { renderWebhookEvents } from './webhook-events.ts'

export const referencePages = [
  { path: 'docs/reference/environment.md', render: renderEnvironment },
  { path: 'docs/reference/app-settings.md', render: renderAppSettings },
  { path: 'docs/reference/command-line.md', render: renderCommandLine },
  { path: 'docs/reference/admin-api.md', render: renderAdminApi },
  { path: 'docs/reference/audit-events.md', render: renderAuditEvents },
  { path: 'docs/reference/data-inventory.md', render: renderDataInventory },
  { path: 'docs/reference/metrics.md', render: renderMetrics },
  { path: 'sdk/server/admin/contract.ts', render: renderAdminContract },
  { path: 'sdk/server/webhooks/events.ts', render: renderWebhookEvents },
]
