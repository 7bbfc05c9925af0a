import { LatchkeyError } from '@latchkey/protocol'
import { appRoutes } from '@latchkey/protocol/api'
import type { Capability } from '../../kernel/capability.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { statusFor } from './apps.ts'

const appEndpoints: readonly Endpoint[] = [
  endpoint(appRoutes.appConfig, ({ app }) => {
    if (!app) throw new LatchkeyError('missing_or_invalid_latchkey_app_id', 'There is no app with this id')
    return app.config
  }),

  endpoint(appRoutes.appStatus, ({ app, query, c }) => {
    // Asked by host pages, listed or not: that is what it is for. It says nothing that needs a secret.
    c.header('access-control-allow-origin', '*')
    c.header('cross-origin-resource-policy', 'cross-origin')
    return { status: statusFor(app, query.origin) }
  }),
]

/** What an app is called, looks like and says, wherever it is embedded. */
export const apps: Capability = {
  name: 'apps',
  endpoints: appEndpoints,
  settings: [
    'logoUrl',
    'iconUrl',
    'accentColor',
    'theme',
    'showWalletLoginFirst',
    'customApiUrl',
    'termsAndConditionsUrl',
    'privacyPolicyUrl',
  ],
}
