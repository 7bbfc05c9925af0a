import type { RoutesDoc } from '../rows/route.ts'
import type { activityRoutes } from './activity.ts'

export const activityDoc: RoutesDoc<typeof activityRoutes> = {
  activity: {
    says: 'What the wallets of the user have signed, and what else was done with them, newest first, fifty a page.',
    errors: ['must_be_authenticated'],
  },
}
