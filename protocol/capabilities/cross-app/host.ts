/** Links and unlinks wallets of other apps. */
import * as v from 'valibot'
import { appId, text } from '../../entities/primitives.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { lenientUser } from '../../rows/lenient.ts'

const userAnswer = v.object({ user: lenientUser })

export const crossAppCalls = {
  /** `appId` is the provider app. Its users own the wallets. */
  linkCrossAppAccount: { policy: 'needs-user', input: v.object({ appId }) },
  unlinkCrossAppAccount: { policy: 'needs-user', input: v.object({ subject: v.pipe(text, v.nonEmpty()) }) },
} as const satisfies HostCallRows

export const crossAppAnswers = { linkCrossAppAccount: userAnswer, unlinkCrossAppAccount: userAnswer } as const

export const crossAppDoc: HostCallDoc<typeof crossAppCalls> = {
  linkCrossAppAccount: {
    summary:
      "Opens the dialog to link the user's wallet of another app. The operator must have registered that app.",
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'cross_app_connection_not_allowed',
      'linked_to_another_user',
      'oauth_user_denied',
      'oauth_unexpected',
      'pkce_state_code_mismatch',
      'client_request_timeout',
      'failed_to_link_account',
    ],
  },
  unlinkCrossAppAccount: {
    summary:
      'Asks the user to confirm that the wallet is unlinked, then unlinks it. The last account cannot be unlinked.',
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'linked_account_not_found',
      'cannot_unlink_sole_account',
    ],
  },
}
