import type { RoutesDoc } from '../../rows/route.ts'
import type { cloudWindowRoutes } from './clouds.ts'

export const cloudWindowDoc: RoutesDoc<typeof cloudWindowRoutes> = {
  startCloudRecovery: {
    says: "The page at Google on which a person opens a folder of the app in their Drive. `redirect_to` is `/recovery/callback/google-drive` on the wallet's hostname: Google's code is told to the window of that origin which has the state, and is worth nothing without its verifier (PKCE).",
    errors: ['disallowed_recovery_method', 'invalid_origin', 'invalid_data'],
  },
  startIcloudRecovery: {
    says: 'The page at Apple on which a person signs in to iCloud. A page of `origin` tells the window that opened it, which is one of the wallet.',
    errors: ['disallowed_recovery_method', 'oauth_unexpected'],
  },
}
