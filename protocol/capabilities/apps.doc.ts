import type { RoutesDoc } from '../rows/route.ts'
import type { appRoutes } from './apps.ts'

export const appDoc: RoutesDoc<typeof appRoutes> = {
  appConfig: {
    says: 'The public configuration of an app.',
    errors: ['missing_or_invalid_latchkey_app_id'],
  },
  appStatus: {
    says: 'Tells a loader why its frame did not come: readable from any origin, and says no more than this.',
    errors: [],
  },
}
