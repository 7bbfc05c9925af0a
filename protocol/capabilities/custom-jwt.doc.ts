import type { RoutesDoc } from '../rows/route.ts'
import type { customJwtRoutes } from './custom-jwt.ts'

export const customJwtDoc: RoutesDoc<typeof customJwtRoutes> = {
  loginWithCustomJwt: {
    says: "Starts a session for the user that a token of the operator's own issuer names. Which issuer that is, the operator has said for the app.",
    errors: [
      'missing_or_invalid_token',
      'disallowed_login_method',
      'not_supported',
      'unavailable',
      'allowlist_rejected',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
}
