import { LatchkeyError } from '@latchkey/protocol'
import { appRoutes } from '@latchkey/protocol/api'
import type { Capability } from '../../kernel/capability.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { getAppStatus } from './apps.ts'

const appEndpoints: readonly Endpoint[] = [
  endpoint(appRoutes.appConfig, ({ app }) => {
    if (!app) throw new LatchkeyError('missing_or_invalid_latchkey_app_id', 'There is no app with this id')
    return app.config
  }),

  endpoint(appRoutes.appStatus, ({ app, query, c }) => {
    // Any host page may call this, listed or not. The response contains nothing secret.
    c.header('access-control-allow-origin', '*')
    c.header('cross-origin-resource-policy', 'cross-origin')
    return { status: getAppStatus(app, query.origin) }
  }),
]

/** The app's name, appearance and links. */
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
