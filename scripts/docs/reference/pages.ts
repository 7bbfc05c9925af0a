import { referencePages as serverPages } from '../../../server/start/reference/pages.ts'
import { renderAuditEvents } from './audit-events.ts'
import { renderClientCalls } from './client-calls.ts'
import { renderClientConfig } from './client-config.ts'
import { renderDataInventory } from './data-inventory.ts'
import { renderErrors } from './errors.ts'
import { renderEthereumMethods } from './ethereum-methods.ts'
import { renderLanguages } from './languages.ts'
import { renderLimits } from './limits.ts'
import { renderMetrics } from './metrics.ts'
import { renderTokens } from './tokens.ts'

/** The generated pages that need more than the server. */
export const ownPages = [
  { path: 'docs/reference/client.md', render: renderClientCalls },
  { path: 'docs/reference/client-config.md', render: renderClientConfig },
  { path: 'docs/reference/errors.md', render: renderErrors },
  { path: 'docs/reference/tokens.md', render: renderTokens },
  { path: 'docs/reference/ethereum-methods.md', render: renderEthereumMethods },
  { path: 'docs/reference/limits.md', render: renderLimits },
  { path: 'docs/reference/metrics.md', render: renderMetrics },
  { path: 'docs/reference/audit-events.md', render: renderAuditEvents },
  { path: 'docs/reference/data-inventory.md', render: renderDataInventory },
  { path: 'docs/reference/languages.md', render: renderLanguages },
]

export const referencePages = [...serverPages, ...ownPages]
