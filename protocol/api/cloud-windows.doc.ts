import type { cloudWindowRoutes } from './cloud-windows.ts'
import type { RoutesDoc } from './route.ts'

export const cloudWindowDoc: RoutesDoc<typeof cloudWindowRoutes> = {
  startCloudRecovery: {
    says: "Prepares the sign-in at Google that opens a folder of the app in its person's Drive. The address is a page of ours, for a pop-up or for the top window, that goes on to Google. With `relay` the result waits at `/recovery/oauth/result`; without it, it comes in the query of `redirect_to`.",
    errors: ['disallowed_recovery_method', 'invalid_origin', 'invalid_data'],
  },
  cloudRecoveryResult: {
    says: 'Waits some seconds for what came of that sign-in, which its secret alone opens.',
    errors: ['not_found'],
  },
  startIcloudRecovery: {
    says: 'The page at Apple on which a person signs in to iCloud. It tells the window that opened it.',
    errors: ['disallowed_recovery_method', 'oauth_unexpected'],
  },
}
