import type { Capability } from '../../kernel/capability.ts'
import { connectedAppsCommand, requestersCommand } from './command.ts'
import { forgetProvider } from './connections.ts'
import { providerLimits } from './limits.ts'
import { providerPages } from './pages.ts'
import { providerEndpoints } from './routes.ts'
import { providerMigrations } from './tables.ts'

export const provider: Capability = {
  name: 'provider',
  endpoints: providerEndpoints,
  pages: providerPages,
  migrations: providerMigrations,
  appCommands: [requestersCommand, connectedAppsCommand],
  settings: ['crossAppProvider'],
  forget: forgetProvider,
  expiries: [
    { table: 'openid_records', key: ['id'], column: 'expires_at', keptSeconds: 0 },
    { table: 'openid_authorizations', key: ['id'], column: 'expires_at', keptSeconds: 0 },
    { table: 'connected_apps', key: ['id'], column: 'ended_at', keptSeconds: providerLimits.endedSeconds },
  ],
}
