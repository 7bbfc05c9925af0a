import type { Capability } from '../../kernel/capability.ts'
import { requesterEndpoints } from './admin-calls.ts'
import { connectedAppsCommand, requestersCommand } from './command.ts'
import { providerLimits } from './limits.ts'
import { providerPages } from './pages.ts'
import { providerEndpoints } from './routes.ts'
import { providerMigrations } from './tables.ts'

export const provider: Capability = {
  name: 'provider',
  endpoints: providerEndpoints,
  adminEndpoints: requesterEndpoints,
  pages: providerPages,
  migrations: providerMigrations,
  activity: {
    'connected_app.allowed': { kind: 'app_connected', namesApp: true },
    'connected_app.ended': { kind: 'app_ended', namesApp: true },
  },
  peppered: [{ table: 'openid_records', column: 'payload' }],
  appCommands: [requestersCommand, connectedAppsCommand],
  settings: ['crossAppProvider'],
  userRows: [
    { table: 'openid_records', goes: 'with the account', by: ['app_id', 'user_id'] },
    { table: 'openid_authorizations', goes: 'with the account', by: ['app_id', 'user_id'] },
    { table: 'connected_apps', goes: 'with the account', by: ['app_id', 'user_id'] },
  ],
  restored: { drops: ['openid_records', 'openid_authorizations'] },
  expiryRules: [
    { table: 'openid_records', key: ['id'], column: 'expires_at', retentionSeconds: 0 },
    { table: 'openid_authorizations', key: ['id'], column: 'expires_at', retentionSeconds: 0 },
    {
      table: 'connected_apps',
      key: ['id'],
      column: 'ended_at',
      retentionSeconds: providerLimits.endedSeconds,
    },
  ],
}
