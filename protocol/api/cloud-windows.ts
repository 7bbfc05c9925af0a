/** The window in which a person opens a folder of theirs to a wallet, as the dialog begins it and hears of it. */
import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import { clientType } from './client-type.ts'
import { oauthResultSchema } from './oauth.ts'
import { challenge, oneUse, relay, relayKey } from './relay.ts'
import type { Routes } from './route.ts'

const byUser = { method: 'POST', auth: 'dialog', forks: false, appHeader: true } as const

export const cloudWindowRoutes = {
  /** Of Google Drive: its person says at Google that we may have a folder there. */
  startCloudRecovery: {
    ...byUser,
    path: '/recovery/oauth/init',
    effect: 'changes, replayed',
    body: v.object({
      redirectTo: text,
      codeChallenge: challenge,
      stateCode: oneUse,
      relay: v.exactOptional(relay),
    }),
    output: v.object({ url: text }),
  },
  cloudRecoveryResult: {
    ...byUser,
    path: '/recovery/oauth/result',
    effect: 'reads',
    body: relayKey,
    output: oauthResultSchema,
  },
  startIcloudRecovery: {
    ...byUser,
    path: '/recovery/oauth/init_icloud',
    effect: 'reads',
    body: v.object({ clientType }),
    output: v.object({ url: text }),
  },
} as const satisfies Routes
