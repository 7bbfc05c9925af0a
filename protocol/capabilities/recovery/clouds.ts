/**
 * Cloud sign-in for recovery. The wallet frame requests the URL, a window of the wallet origin opens it, and only that
 * window receives the result.
 */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { challenge, oneUse } from '../../windows/relay.ts'

/** The platform of the iCloud sign-in. */
export const clientType = v.picklist(['web', 'expo-ios'])

/**
 * Needs no authentication: the response contains no user data. Only the wallet frame of a logged-in user can redeem the
 * result.
 */
const windowRoute = { method: 'POST', auth: 'none', forks: false, effect: 'reads', appHeader: true } as const

export const cloudWindowRoutes = {
  /** Used by Google Drive only: the user grants access to the app's folder. */
  startCloudRecovery: {
    ...windowRoute,
    path: '/recovery/oauth/init',
    body: v.object({ redirectTo: text, codeChallenge: challenge, stateCode: oneUse }),
    output: v.object({ url: text }),
  },
  startIcloudRecovery: {
    ...windowRoute,
    path: '/recovery/oauth/init_icloud',
    body: v.object({ clientType }),
    output: v.object({
      url: text,
      /** The origin of the page that posts the result to its opener. */
      origin: text,
    }),
  },
} as const satisfies Routes

export const cloudWindowDoc: RoutesDoc<typeof cloudWindowRoutes> = {
  startCloudRecovery: {
    summary:
      "Returns the Google page on which the user grants access to the app's folder in their Drive. `redirect_to` must be `/recovery/callback/google-drive` on the wallet's hostname. The code is sent to the window of that origin that has the state, and requires its verifier (PKCE).",
    errors: ['disallowed_recovery_method', 'invalid_origin', 'invalid_data'],
  },
  startIcloudRecovery: {
    summary:
      'Returns the Apple page on which the user signs in to iCloud. A page of `origin` posts the result to its opener, a window of the wallet origin.',
    errors: ['disallowed_recovery_method', 'oauth_unexpected'],
  },
}
