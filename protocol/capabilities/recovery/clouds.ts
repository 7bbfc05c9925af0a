/**
 * Where a person opens a folder of theirs to a wallet. The wallet frame asks for the address, a window of the wallet's
 * origin opens it, and what comes of it is told to that window alone.
 */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { challenge, oneUse } from '../../windows/relay.ts'

/** Where somebody signs in to iCloud. */
export const clientType = v.picklist(['web', 'expo-ios'])

/** It says nothing of anybody: what comes back is redeemed by the wallet frame of somebody who is logged in. */
const byWindow = { method: 'POST', auth: 'none', forks: false, effect: 'reads', appHeader: true } as const

export const cloudWindowRoutes = {
  /** Google Drive alone needs this: the user grants us a folder there, at Google. */
  startCloudRecovery: {
    ...byWindow,
    path: '/recovery/oauth/init',
    body: v.object({ redirectTo: text, codeChallenge: challenge, stateCode: oneUse }),
    output: v.object({ url: text }),
  },
  startIcloudRecovery: {
    ...byWindow,
    path: '/recovery/oauth/init_icloud',
    body: v.object({ clientType }),
    output: v.object({
      url: text,
      /** The origin of the page that tells the window which opened it who has signed in. */
      origin: text,
    }),
  },
} as const satisfies Routes

export const cloudWindowDoc: RoutesDoc<typeof cloudWindowRoutes> = {
  startCloudRecovery: {
    summary:
      "The page at Google on which a person opens a folder of the app in their Drive. `redirect_to` is `/recovery/callback/google-drive` on the wallet's hostname: Google's code is told to the window of that origin which has the state, and is worth nothing without its verifier (PKCE).",
    errors: ['disallowed_recovery_method', 'invalid_origin', 'invalid_data'],
  },
  startIcloudRecovery: {
    summary:
      'The page at Apple on which a person signs in to iCloud. A page of `origin` tells the window that opened it, which is one of the wallet.',
    errors: ['disallowed_recovery_method', 'oauth_unexpected'],
  },
}
