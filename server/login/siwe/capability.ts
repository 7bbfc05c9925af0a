import { type Capability, nothingMissing } from '../../kernel/capability.ts'
import { relayAddresses, relayEnvironment, relaySources } from './relay.ts'
import { siweEndpoints } from './routes.ts'
import { siweMigrations } from './tables.ts'

export const siwe: Capability = {
  name: 'login/siwe',
  endpoints: siweEndpoints,
  logins: [{ method: 'wallet', missing: nothingMissing }],
  settings: ['walletAuth', 'walletConnectCloudProjectId', 'dappConnections'],
  environment: relayEnvironment,
  addresses: relayAddresses,
  sources: relaySources,
  migrations: siweMigrations,
  expiries: [{ table: 'siwe_nonces', key: ['app_id', 'nonce'], column: 'expires_at', keptSeconds: 0 }],
}
