import type { Capability } from '../../kernel/capability.ts'
import { appEndpoints } from './routes.ts'

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
