import { appIdOfProvider } from '@latchkey/protocol'
import { type Capability, port } from '../../kernel/capability.ts'
import { type WalletProviders, walletProviders } from '../oauth/oauth.ts'
import { walletProviderClient } from './client.ts'
import { providersCommand } from './command.ts'
import { crossAppPages } from './pages.ts'
import { findProvider } from './providers.ts'
import { crossAppEndpoints } from './routes.ts'
import { providerSources } from './sources.ts'
import { crossAppTables } from './store.ts'

export const walletProvidersOfApps: WalletProviders = async (context, reader, appId, provider) => {
  const found = await findProvider(reader, appId, appIdOfProvider(provider))
  return found && walletProviderClient(context, found)
}

/** The accounts that come of it are those of every login, and go with their user as they do. */
export const crossApp: Capability = {
  name: 'login/cross-app',
  endpoints: crossAppEndpoints,
  pages: crossAppPages,
  sources: providerSources,
  ports: [port(walletProviders, () => ({ value: walletProvidersOfApps }))],
  appCommands: [providersCommand],
  expiries: [{ table: 'cross_app_windows', key: ['id'], column: 'expires_at', keptSeconds: 0 }],
  migrations: { '0001-providers': crossAppTables },
}
