import type { RoutesDoc } from '../rows/route.ts'
import type { userRoutes } from './users.ts'

export const userDoc: RoutesDoc<typeof userRoutes> = {
  me: {
    says: 'The user of the token.',
    errors: ['missing_or_invalid_token'],
  },
  acceptTerms: {
    says: 'The user accepts the terms of the app.',
    errors: ['must_be_authenticated'],
  },
}
