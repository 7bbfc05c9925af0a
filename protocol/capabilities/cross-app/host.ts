/** Wallets of other apps, as accounts of a user who is logged in. */
import * as v from 'valibot'
import { appId, text } from '../../entities/primitives.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { lenientUser } from '../../rows/lenient.ts'

const whose = v.object({ user: lenientUser })

export const crossAppCalls = {
  /** `appId`: of the provider, the app whose users have the wallets. */
  linkCrossAppAccount: { policy: 'needs-user', input: v.object({ appId }) },
  unlinkCrossAppAccount: { policy: 'needs-user', input: v.object({ subject: v.pipe(text, v.nonEmpty()) }) },
} as const satisfies HostCallRows

export const crossAppAnswers = { linkCrossAppAccount: whose, unlinkCrossAppAccount: whose } as const

export const crossAppDoc: HostCallDoc<typeof crossAppCalls> = {
  linkCrossAppAccount: {
    summary:
      'Opens the dialog to link the wallet that the user has in another app. The operator registered that app before.',
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
    summary: 'Asks the user whether such a wallet is to be unlinked, and unlinks it. The last account stays.',
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'linked_account_not_found',
      'cannot_unlink_sole_account',
    ],
  },
}
