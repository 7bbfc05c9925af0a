import { renderAccounts } from './accounts.ts'
import { renderClientConfig } from './client-config.ts'
import { renderErrors } from './errors.ts'
import { renderEthereumMethods } from './ethereum-methods.ts'
import { renderLimits } from './limits.ts'
import { renderProtocol } from './render.ts'
import { renderTokens } from './tokens.ts'

/** The generated pages about the protocol. */
export const referencePages = [
  { path: 'docs/protocol.md', render: renderProtocol },
  { path: 'docs/reference/accounts.md', render: renderAccounts },
  { path: 'docs/reference/client-config.md', render: renderClientConfig },
  { path: 'docs/reference/errors.md', render: renderErrors },
  { path: 'docs/reference/ethereum-methods.md', render: renderEthereumMethods },
  { path: 'docs/reference/limits.md', render: renderLimits },
  { path: 'docs/reference/tokens.md', render: renderTokens },
]
