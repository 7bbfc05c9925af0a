/** The cross-app providers that the operator registered for this app. */
import { type CrossAppProvider, getProviderAppId, LatchkeyError, product } from '@latchkey/protocol'
import { type CrossAppConnection, crossAppRoutes } from '@latchkey/protocol/api'
import type { DialogServices } from '../../app/services.ts'
import type { Cancellable } from '../../browser/waiting.ts'
import { english } from './texts.arb'

export type Connections = {
  /** Rejects if the provider is not registered, or no longer registered. */
  of: (provider: CrossAppProvider, asker: Cancellable) => Promise<CrossAppConnection>
  all: (asker: Cancellable) => Promise<readonly CrossAppConnection[]>
}

export const providerOf = (appId: string): CrossAppProvider => product.crossApp.provider(appId)

export function createConnections({ api, settings }: Pick<DialogServices, 'api' | 'settings'>): Connections {
  let connections: readonly CrossAppConnection[] = []

  async function all({ signal }: Cancellable) {
    const options = { signal, params: { appId: settings().app.id } }
    connections = (await api.call(crossAppRoutes.crossAppConnections, undefined, options)).connections
    return connections
  }

  return {
    all,
    async of(provider, asker) {
      const isIt = ({ providerAppId }: CrossAppConnection) => providerAppId === getProviderAppId(provider)
      // Loads the list again, since the provider may have been registered meanwhile.
      const connection = connections.find(isIt) ?? (await all(asker)).find(isIt)
      if (connection) return connection
      throw new LatchkeyError('cross_app_connection_not_allowed', english.problems.notConnected)
    },
  }
}
