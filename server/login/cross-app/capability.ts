import { type CrossAppProvider, getProviderAppId } from '@latchkey/protocol'
import type { App } from '../../identity/apps/apps.ts'
import { type Capability, port } from '../../kernel/capability.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import type { Page } from '../../kernel/http/pages/page.ts'
import { imageSources, type PageSources } from '../../kernel/http/pages/page-sources.ts'
import type { Reader } from '../../kernel/ports.ts'
import { type AppProviders, walletProviders } from '../oauth/oauth.ts'
import { goingTo, startPages, windowPage } from '../window/window.ts'
import { walletProviderClient } from './client.ts'
import { providersCommand } from './command.ts'
import { findProvider, listProviders } from './providers.ts'
import { crossAppEndpoints } from './routes.ts'
import { crossAppTables } from './store.ts'
import { takeAddress } from './window.ts'

/** Providers are reread every second, like apps. */
const sourcesByApp = new WeakMap<App, Promise<PageSources>>()

/** The dialog calls its providers directly, and shows their icons. */
function providerSources(app: App, _config: ServerConfig, reader: Reader): Promise<PageSources> {
  const read = sourcesByApp.get(app) ?? readSources(app, reader)
  sourcesByApp.set(app, read)
  // A failed read is not cached.
  read.catch(() => sourcesByApp.delete(app))
  return read
}

async function readSources({ id }: App, reader: Reader): Promise<PageSources> {
  const providers = await listProviders(reader, id)
  const origins = providers.flatMap(({ issuer, customApiUrl }) => [
    new URL(issuer).origin,
    ...(customApiUrl === null ? [] : [customApiUrl]),
  ])
  return { connect: [...new Set(origins)], img: imageSources(providers.map(({ iconUrl }) => iconUrl)) }
}

/** The start page of a window that goes to a provider's page. */
const crossAppPages: readonly Page[] = startPages({
  purpose: 'cross-app',
  path: '/cross-app/start/{handle}',
  async goOn(c, context, { handle }) {
    const going = await takeAddress(context, handle)
    return going ? goingTo(c, going.name, going.address) : windowPage(c, 'over')
  },
  // Nothing to clean up: the provider's request expires in two minutes.
  fail: takeAddress,
})

export const walletProvidersOfApps: AppProviders<CrossAppProvider> = async (
  context,
  reader,
  appId,
  provider,
) => {
  const registration = await findProvider(reader, appId, getProviderAppId(provider))
  return registration && walletProviderClient(context, registration)
}

/** Cross-app accounts are ordinary linked accounts, and are deleted with their user. */
export const crossApp: Capability = {
  name: 'login/cross-app',
  endpoints: crossAppEndpoints,
  pages: crossAppPages,
  sources: providerSources,
  ports: [port(walletProviders, () => ({ value: walletProvidersOfApps }))],
  appCommands: [providersCommand],
  restored: { drops: ['cross_app_windows'] },
  expiryRules: [{ table: 'cross_app_windows', key: ['id'], column: 'expires_at', retentionSeconds: 0 }],
  migrations: { '0001-providers': crossAppTables },
  wrapped: [{ table: 'cross_app_providers', column: 'private_key' }],
}
