import * as v from 'valibot'
import { base64url, text } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { authAnswerSchema, loginVault } from '../sessions.ts'
import { assertion, assertionOptions, attestation, attestationOptions } from './credentials.ts'

export const passkeyRoutes = {
  beginPasskeyLogin: {
    method: 'POST',
    path: '/passkeys/authenticate/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ token: v.exactOptional(text), relyingParty: v.exactOptional(text) }),
    output: v.object({ relyingParty: text, options: assertionOptions }),
  },
  loginWithPasskey: {
    method: 'POST',
    path: '/passkeys/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      relyingParty: text,
      challenge: base64url,
      authenticatorResponse: assertion,
      vault: loginVault,
    }),
    output: authAnswerSchema,
  },
  beginPasskeyLink: {
    method: 'POST',
    path: '/passkeys/link/init',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({}),
    output: v.object({ relyingParty: text, options: attestationOptions }),
  },
  linkPasskey: {
    method: 'POST',
    path: '/passkeys/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ relyingParty: text, authenticatorResponse: attestation }),
    output: userRecordSchema,
  },
  unlinkPasskey: {
    method: 'POST',
    path: '/passkeys/unlink',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ credentialId: base64url }),
    output: userRecordSchema,
  },
} as const satisfies Routes

export const passkeyDoc: RoutesDoc<typeof passkeyRoutes> = {
  beginPasskeyLogin: {
    summary:
      'Creates the challenge of one login in this browser. It lists no credentials: any passkey of the app can answer it.',
    errors: ['disallowed_login_method', 'invalid_data', 'invalid_captcha'],
  },
  loginWithPasskey: {
    summary: 'Starts a session for the owner of the passkey that answered the challenge.',
    errors: ['invalid_credentials', 'disallowed_login_method', 'allowlist_rejected', 'login_denied'],
  },
  beginPasskeyLink: {
    summary: 'Creates the challenge for one new passkey of this user in this browser.',
    errors: ['disallowed_login_method', 'cannot_link_more_of_type'],
  },
  linkPasskey: {
    summary: 'Links the passkey that answered the challenge to the user.',
    errors: [
      'invalid_credentials',
      'disallowed_login_method',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkPasskey: {
    summary: 'Unlinks the passkey from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account', 'missing_or_invalid_mfa'],
  },
}
