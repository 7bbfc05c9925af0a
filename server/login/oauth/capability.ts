import { loginMethodRows, socialProviders } from '@latchkey/protocol'
import { type Capability, port } from '../../kernel/capability.ts'
import { getVariable, oauthEnvironment, readOAuthSettings } from './environment.ts'
import { createProviderClients, providerClients, tokenEndpoint } from './exchange/exchange.ts'
import { oauthPages } from './pages.ts'
import { oauthEndpoints } from './routes.ts'
import { oauthTables, withoutBrowserHash, withProofKey } from './store.ts'

export const oauth: Capability = {
  name: 'login/oauth',
  endpoints: oauthEndpoints,
  pages: oauthPages,
  environment: oauthEnvironment,
  thirdParties: (config) => {
    const settings = readOAuthSettings(config)
    return socialProviders.flatMap((provider) =>
      settings.clients[provider]
        ? [{ variable: getVariable(provider), url: tokenEndpoint(provider, settings.providersUrl) }]
        : [],
    )
  },
  ports: [
    port(providerClients, ({ config }) => ({ value: createProviderClients(readOAuthSettings(config)) })),
  ],
  restored: { drops: ['oauth_flows'] },
  expiryRules: [{ table: 'oauth_flows', key: ['handle'], column: 'expires_at', retentionSeconds: 0 }],
  migrations: {
    '0001-flows': oauthTables,
    '0002-without-browser-hash': withoutBrowserHash,
    '0003-proof-key': withProofKey,
  },
  logins: socialProviders.map((method) => ({
    method,
    missing: (config) => (readOAuthSettings(config).clients[method] ? [] : [getVariable(method)]),
  })),
  settings: [
    ...socialProviders.map((provider) => loginMethodRows[provider].setting),
    'twitterOauthOnMobileEnabled',
    'oauthTokensToHost',
  ],
}
