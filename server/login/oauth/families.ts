/** The kinds of OAuth providers, and everything in which they differ. The flow is the same for all. */
import {
  type CrossAppProvider,
  getProviderAppId,
  isCrossAppProvider,
  isOidcProvider,
  LatchkeyError,
  type LinkedAccountType,
  loginMethodRows,
  type OidcProvider,
} from '@latchkey/protocol'
import type { App } from '../../identity/apps/apps.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { Reader } from '../../kernel/ports.ts'
import { requireLoginMethod } from '../allowed.ts'
import type { ProvenMethod } from '../counted.ts'
import { getVariable } from './environment.ts'
import { oidcProviders, type ProviderClient, providerClients, walletProviders } from './exchange/exchange.ts'
import { refusalError, walletRefusalError, wrongOAuthCode, wrongWalletCode } from './exchange/refusal.ts'
import type { FlowProvider, SocialProvider } from './provider.ts'

/** Identifies an account at a provider. `issuer` is that of an OpenID provider. */
export type AccountKey = { subject: string; issuer?: string | undefined }

type Family<Provider extends FlowProvider> = {
  findClient: (
    context: ServerContext,
    reader: Reader,
    appId: string,
    provider: Provider,
  ) => Promise<ProviderClient | undefined>
  /** Throws if the app's settings do not allow the provider. */
  requireAllowed?: (app: App, provider: Provider, title: string) => void
  missingClient: (provider: Provider) => LatchkeyError
  /** The tokens are bound to the browser's key. The dialog names the provider and gets its tokens. */
  bindsTokens: boolean
  accountType: (provider: Provider) => LinkedAccountType
  /** Returns the identifier of an account, unique among those of its type. */
  toIdentifier: (provider: Provider, account: AccountKey) => string
  method: (provider: Provider) => ProvenMethod
  wrongCode: () => LatchkeyError
  refusalError: typeof refusalError
}

const builtIn: Family<SocialProvider> = {
  findClient: async (context, _reader, _appId, provider) => providerClients.get(context.ports).get(provider),
  requireAllowed: (app, provider, title) => requireLoginMethod(app, loginMethodRows[provider].setting, title),
  missingClient: (provider) =>
    new LatchkeyError('disallowed_login_method', 'This server is no client of this provider', {
      details: { setting: getVariable(provider) },
    }),
  bindsTokens: false,
  accountType: (provider) => `${provider}_oauth`,
  toIdentifier: (_provider, { subject }) => subject,
  method: (provider) => provider,
  wrongCode: wrongOAuthCode,
  refusalError,
}

/** An OpenID provider needs no setting, because the operator's registration enables it. */
const oidc: Family<OidcProvider> = {
  findClient: (context, ...registration) => oidcProviders.get(context.ports)(context, ...registration),
  missingClient: (provider) =>
    new LatchkeyError('disallowed_login_method', 'This app has no such OpenID provider', {
      details: { setting: provider },
    }),
  bindsTokens: false,
  accountType: () => 'oidc',
  toIdentifier(_provider, { issuer, subject }) {
    if (issuer !== undefined) return `${issuer} ${subject}`
    throw new LatchkeyError('invalid_data', 'An account at an OpenID provider needs its issuer', {
      details: { path: 'issuer' },
    })
  },
  method: () => 'oidc',
  wrongCode: wrongOAuthCode,
  refusalError,
}

const crossApp: Family<CrossAppProvider> = {
  findClient: (context, ...registration) => walletProviders.get(context.ports)(context, ...registration),
  missingClient: () => new LatchkeyError('cross_app_connection_not_allowed', 'Invalid connected app'),
  bindsTokens: true,
  accountType: () => 'cross_app',
  toIdentifier: (provider, { subject }) => `${getProviderAppId(provider)}:${subject}`,
  method: () => 'cross_app',
  wrongCode: wrongWalletCode,
  refusalError: walletRefusalError,
}

export function getFamily(provider: FlowProvider): Family<FlowProvider> {
  if (isCrossAppProvider(provider)) return crossApp as Family<FlowProvider>
  return (isOidcProvider(provider) ? oidc : builtIn) as Family<FlowProvider>
}
