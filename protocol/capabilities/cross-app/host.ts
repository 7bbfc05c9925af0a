/** Wallets of other apps, as accounts of a user who is logged in. */
import * as v from 'valibot'
import { appId, text } from '../../entities/primitives.ts'
import type { MoreRows } from '../../rows/host-call.ts'
import { looseUser } from '../../rows/lenient.ts'

const whose = v.object({ user: looseUser })

export const crossAppCalls = {
  /** `appId`: of the provider, the app whose users have the wallets. */
  linkCrossAppAccount: { policy: 'needs-user', input: v.object({ appId }) },
  unlinkCrossAppAccount: { policy: 'needs-user', input: v.object({ subject: v.pipe(text, v.nonEmpty()) }) },
} as const satisfies MoreRows

export const crossAppAnswers = { linkCrossAppAccount: whose, unlinkCrossAppAccount: whose } as const
