import type { RoutesDoc } from '../../rows/route.ts'
import type { analyticsRoutes } from './api.ts'

export const analyticsDoc: RoutesDoc<typeof analyticsRoutes> = {
  analyticsEvent: {
    says: 'Something happened, for the counts of the app. Never sent twice; nobody waits for it.',
    errors: ['invalid_data', 'too_many_requests'],
  },
}
