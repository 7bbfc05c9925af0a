/**
 * Where a person opens a folder of theirs to a wallet. The wallet frame asks for the address, a window of the wallet's
 * origin opens it, and what comes of it is told to that window alone.
 */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import type { Routes } from '../../rows/route.ts'
import { challenge, oneUse } from '../../windows/relay.ts'

/** Where somebody signs in to iCloud. */
export const clientType = v.picklist(['web', 'expo-ios'])

/** It says nothing of anybody: what comes back is redeemed by the wallet frame of somebody who is logged in. */
const byWindow = { method: 'POST', auth: 'none', forks: false, effect: 'reads', appHeader: true } as const

export const cloudWindowRoutes = {
  /** Of Google Drive: its person says at Google that we may have a folder there. */
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
      /** Of the page that tells the window which opened it who has signed in. */
      origin: text,
    }),
  },
} as const satisfies Routes
