import { LatchkeyError } from '@latchkey/protocol'
import { oauthRoutes } from '@latchkey/protocol/api'
import { type Capability, port } from '../../kernel/capability.ts'
import { endpoint } from '../../kernel/http/endpoint.ts'
import { oidcProviders } from '../oauth/oauth.ts'
import { oidcEndpoints } from './admin-calls.ts'
import { oidcCommand } from './command.ts'
import { createLogoutKeySets, logoutCall, logoutKeySets } from './logout.ts'
import { createAppProviders, listProviders, toConnection } from './providers.ts'
import { disabledProviders, oidcTables } from './store.ts'

/** Login with OpenID providers that the operator configures. The flow is that of `oauth`. */
export const oidc: Capability = {
  name: 'login/oidc',
  endpoints: [
    endpoint(oauthRoutes.oidcConnections, async ({ app }, { db }) => {
      if (!app) throw new LatchkeyError('missing_or_invalid_latchkey_app_id', 'There is no app with this id')
      const providers = await listProviders(db, app.id)
      return { connections: providers.filter(({ isDisabled }) => !isDisabled).map(toConnection) }
    }),
  ],
  adminEndpoints: oidcEndpoints,
  openCalls: [logoutCall],
  ports: [
    port(oidcProviders, () => ({ value: createAppProviders() })),
    port(logoutKeySets, () => ({ value: createLogoutKeySets() })),
  ],
  appCommands: [oidcCommand],
  expiryRules: [{ table: 'oidc_logout_tokens', key: ['hash'], column: 'expires_at', retentionSeconds: 0 }],
  migrations: { '0001-providers': oidcTables, '0002-disabled-providers': disabledProviders },
  wrapped: [{ table: 'oidc_providers', column: 'client_secret' }],
}
