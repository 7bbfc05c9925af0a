import * as v from 'valibot'
import { fid, text } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { authAnswerSchema, loginVault } from '../sessions.ts'
import { siweLimits } from '../siwe/limits.ts'

/** Opened by a click of the user, so `javascript:` and similar schemes are rejected. */
export const appLink = v.pipe(text, v.regex(/^(https?|farcaster):\/\//, 'Not the address of an app'))

const signed = {
  message: text,
  signature: v.pipe(v.string(), v.maxLength(siweLimits.maxSignatureLength), v.regex(/^0x([0-9a-fA-F]{2})+$/)),
  fid,
}
const approved = { channelToken: text, ...signed }

export const channelTokenHeader = 'farcaster-channel-token'

export const farcasterRoutes = {
  beginFarcaster: {
    method: 'POST',
    path: '/farcaster/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      token: v.exactOptional(text),
      /** The origin of the host page, as the handshake proved it, or the dialog origin without a host. */
      origin: v.exactOptional(text),
    }),
    output: v.object({ channelToken: text, connectUri: appLink }),
  },
  farcasterStatus: {
    method: 'GET',
    path: '/farcaster/status',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: true,
    headers: v.object({ [channelTokenHeader]: text }),
    output: v.variant('state', [
      v.object({ state: v.literal('pending'), nonce: text }),
      v.object({
        state: v.literal('completed'),
        nonce: text,
        ...signed,
        username: v.exactOptional(text),
        displayName: v.exactOptional(text),
        bio: v.exactOptional(text),
        pfpUrl: v.exactOptional(text),
      }),
    ]),
  },
  loginWithFarcaster: {
    method: 'POST',
    path: '/farcaster/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...approved, vault: loginVault }),
    output: authAnswerSchema,
  },
  linkFarcaster: {
    method: 'POST',
    path: '/farcaster/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object(approved),
    output: userRecordSchema,
  },
  unlinkFarcaster: {
    method: 'POST',
    path: '/farcaster/unlink',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ fid }),
    output: userRecordSchema,
  },
} as const satisfies Routes

export const farcasterDoc: RoutesDoc<typeof farcasterRoutes> = {
  beginFarcaster: {
    summary:
      "Opens a channel at the relay, for this browser and the host page's origin. The user opens `connect_uri` on their phone.",
    errors: [
      'disallowed_login_method',
      'origin_not_allowed',
      'too_many_requests',
      'unavailable',
      'invalid_captcha',
    ],
  },
  farcasterStatus: {
    summary:
      'Returns whether the user has approved the login. Requires the browser that opened the channel. The signed message is returned as long as it is valid.',
    errors: ['disallowed_login_method', 'invalid_credentials', 'unavailable'],
  },
  loginWithFarcaster: {
    summary: 'Starts a session for the Farcaster account whose custody address signed the message.',
    errors: [
      'invalid_message',
      'invalid_credentials',
      'unavailable',
      'disallowed_login_method',
      'allowlist_rejected',
      'login_denied',
      'max_accounts_reached',
    ],
  },
  linkFarcaster: {
    summary: 'Links the Farcaster account whose custody address signed the message to the user.',
    errors: [
      'invalid_message',
      'invalid_credentials',
      'unavailable',
      'disallowed_login_method',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkFarcaster: {
    summary: 'Unlinks the Farcaster account from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
}
