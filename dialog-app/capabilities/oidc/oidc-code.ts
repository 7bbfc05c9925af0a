/** The login methods of an app's OpenID providers. */
import { LatchkeyError, type OidcProvider, product } from '@latchkey/protocol'
import { type OidcConnection, oauthRoutes } from '@latchkey/protocol/api'
import type { Cancellable } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode } from '../../contract/login.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import { oauthMethod } from '../oauth/oauth-login.ts'
import { openIdProvider } from '../oauth/providers.ts'
import { resumeLogin } from '../oauth/redirect.ts'

export function createOidcCode(ports: CapabilityPorts, browser: WindowBrowser | undefined) {
  let connections: OidcConnection[] = []

  async function findConnection(
    name: OidcProvider,
    { signal }: Cancellable,
  ): Promise<OidcConnection | undefined> {
    const isIt = ({ provider }: OidcConnection) => provider === name
    const cachedConnection = connections.find(isIt)
    if (cachedConnection) return cachedConnection
    const options = { signal, params: { appId: ports.settings().app.id } }
    connections = (await ports.api.call(oauthRoutes.oidcConnections, undefined, options)).connections
    return connections.find(isIt)
  }

  return {
    async isThere(name: OidcProvider, asker: Cancellable): Promise<boolean> {
      const connection = await findConnection(name, asker)
      if (!connection) console.error(`${product.name}: the app has no provider ${name}`)
      return connection !== undefined
    },
    async method(name: OidcProvider): Promise<MethodCode> {
      const connection = await findConnection(name, {})
      if (connection) return oauthMethod(ports, openIdProvider(connection), browser)
      // No account has this issuer.
      const missing = openIdProvider({ provider: name, name, issuer: '' })
      return {
        ...oauthMethod(ports, missing, browser),
        refusesLink: () => new LatchkeyError('disallowed_login_method', `This app has no login by ${name}`),
      }
    },
    resume: (parameters: URLSearchParams) => resumeLogin(ports, parameters),
  }
}
