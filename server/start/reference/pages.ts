import { renderAdminApi } from './admin-api.ts'
import { renderAdminContract } from './admin-contract.ts'
import { renderAppSettings } from './app-settings.ts'
import { renderCommandLine } from './command-line.ts'
import { renderEnvironment } from './environment.ts'
import { renderWebhookEvents } from './webhook-events.ts'

export const referencePages = [
  { path: 'docs/reference/environment.md', render: renderEnvironment },
  { path: 'docs/reference/app-settings.md', render: renderAppSettings },
  { path: 'docs/reference/command-line.md', render: renderCommandLine },
  { path: 'docs/reference/admin-api.md', render: renderAdminApi },
  { path: 'sdk/server/admin/contract.ts', render: renderAdminContract },
  { path: 'sdk/server/webhooks/events.ts', render: renderWebhookEvents },
]
