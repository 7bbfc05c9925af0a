/** Links and unlinks accounts of a logged-in user. */
import * as v from 'valibot'
import { loginMethodSchema } from '../entities/login-methods.ts'
import { oidcProvider } from '../entities/oidc.ts'
import { text } from '../entities/primitives.ts'
import { socialProviders } from '../entities/social-providers.ts'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'
import { lenientUser } from '../rows/lenient.ts'

const method = loginMethodSchema
const userAnswer = v.object({ user: lenientUser })

export const linkingCalls = {
  link: { policy: 'needs-user', input: v.object({ method }) },
  /** `id` identifies the account among those of its type: its address, number, subject or other identifier. */
  unlink: { policy: 'needs-user', input: v.object({ method, id: text }) },
  updateEmail: { policy: 'needs-user', input: v.object({}) },
  reauthorize: {
    policy: 'needs-user',
    input: v.object({ provider: v.union([v.picklist(socialProviders), oidcProvider]) }),
  },
} as const satisfies HostCallRows

export const linkingAnswers = {
  link: userAnswer,
  unlink: userAnswer,
  updateEmail: userAnswer,
  reauthorize: userAnswer,
} as const

export const linkingDoc: HostCallDoc<typeof linkingCalls> = {
  link: {
    summary: 'Opens the dialog to link another account of the given type to the user.',
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'cannot_link_more_of_type',
      'linked_to_another_user',
      'disallowed_login_method',
      'failed_to_link_account',
      'too_many_requests',
    ],
  },
  unlink: {
    summary:
      'Asks the user to confirm that an account is unlinked, then unlinks it. The last account cannot be unlinked.',
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'linked_account_not_found',
      'cannot_unlink_sole_account',
      'cannot_unlink_embedded_wallet',
      'missing_or_invalid_mfa',
    ],
  },
  reauthorize: {
    summary:
      "Opens the dialog to send the user to a provider again that they have linked. The provider's tokens arrive in the event `oauthTokens`.",
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'linked_account_not_found',
      'not_supported',
      'disallowed_login_method',
      'oauth_user_denied',
    ],
  },
  updateEmail: {
    summary: "Opens the dialog to replace the user's e-mail address with another one.",
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'linked_account_not_found',
      'linked_to_another_user',
    ],
  },
}
