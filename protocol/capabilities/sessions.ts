import * as v from 'valibot'
import { base64url, text } from '../entities/primitives.ts'
import { oauthTokensSchema, sessionUpdateActions } from '../entities/session.ts'
import { userRecordSchema } from '../entities/user.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { vaultKeySchema } from '../vault/operations.ts'

const token = v.nullable(text)

/**
 * A login may name the key of a vault that waits, with the statement of that vault in a header: the session is then
 * bound to its device. Its answer carries the wallet token of the first step, for making the user's wallet or for
 * finding it on this device, unless something else is due first.
 */
export const loginVault = v.exactOptional(vaultKeySchema)
const loginWalletToken = v.exactOptional(
  v.object({ token: text, purpose: v.picklist(['create', 'connect']) }),
)

/** `hostToken` is what `getAccessToken()` yields: the same session, scope `host`. */
export const refreshAnswerSchema = v.object({
  user: v.nullable(userRecordSchema),
  token,
  refreshToken: token,
  hostToken: v.exactOptional(token),
  sessionUpdateAction: v.picklist(sessionUpdateActions),
})
export type RefreshAnswer = v.InferOutput<typeof refreshAnswerSchema>

export const authAnswerSchema = v.object({
  user: userRecordSchema,
  token,
  refreshToken: token,
  hostToken: v.exactOptional(token),
  isNewUser: v.boolean(),
  sessionUpdateAction: v.exactOptional(v.picklist(sessionUpdateActions)),
  oauthTokens: v.exactOptional(oauthTokensSchema),
  walletToken: loginWalletToken,
  /**
   * A login that named no vault gets a secret, which binds one vault within 60 s, once. The dialog's memory alone has
   * it.
   */
  deviceSecret: v.exactOptional(base64url),
  /** There is something to ask this user (`/users/me/notices`). */
  hasNotices: v.exactOptional(v.literal(true)),
})
export type AuthAnswer = v.InferOutput<typeof authAnswerSchema>

const refreshToken = v.pipe(text, v.nonEmpty())
const ok = v.object({ success: v.literal(true) })

export const sessionRoutes = {
  refreshSession: {
    method: 'POST',
    path: '/sessions',
    auth: 'none',
    forks: true,
    effect: 'changes',
    appHeader: true,
    body: v.object({ refreshToken: v.exactOptional(v.nullable(refreshToken)) }),
    output: refreshAnswerSchema,
  },
  forkSession: {
    method: 'POST',
    path: '/sessions/fork',
    auth: 'dialog',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ refreshToken: v.exactOptional(v.nullable(refreshToken)) }),
    output: v.object({ token: text, refreshToken: text, newSessionRefreshToken: token }),
  },
  recoverFork: {
    method: 'POST',
    path: '/sessions/fork/recover',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ refreshToken }),
    output: refreshAnswerSchema,
  },
  logout: {
    method: 'POST',
    path: '/sessions/logout',
    auth: 'none',
    forks: true,
    effect: 'changes',
    appHeader: true,
    body: v.object({ refreshToken: v.exactOptional(v.nullable(text)) }),
    output: ok,
  },
  revokeAllSessions: {
    method: 'POST',
    path: '/sessions/revoke_all',
    auth: 'dialog',
    forks: false,
    effect: 'changes',
    appHeader: true,
    body: v.object({}),
    output: ok,
  },
  /** The statement of the device is in a header. */
  bindDevice: {
    method: 'POST',
    path: '/sessions/device',
    auth: 'dialog',
    forks: false,
    effect: 'changes',
    appHeader: true,
    body: v.object({ secret: base64url }),
    output: ok,
  },
  createSessionCode: {
    method: 'POST',
    path: '/sessions/code',
    auth: 'dialog',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({}),
    output: v.object({ code: base64url, expiresInSeconds: v.number() }),
  },
  redeemSessionCode: {
    method: 'POST',
    path: '/sessions/code/redeem',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ code: base64url }),
    output: refreshAnswerSchema,
  },
} as const satisfies Routes

export const sessionDoc: RoutesDoc<typeof sessionRoutes> = {
  refreshSession: {
    summary:
      'New tokens for the refresh token, or for the refresh cookie in cookie mode. The same parent gives the same successor until that was used.',
    errors: ['missing_or_invalid_token', 'too_many_requests'],
  },
  forkSession: {
    summary:
      'A one-use token of 60 s from which another browser context starts a session of its own that dies with this one. The first key that uses it binds it.',
    errors: ['missing_or_invalid_token', 'must_be_authenticated', 'insufficient_scope'],
  },
  recoverFork: {
    summary: 'Starts the session of a forked token. A retry by the same key gets the same session.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
  logout: {
    summary: 'Ends this session and its forks.',
    errors: ['missing_or_invalid_token'],
  },
  revokeAllSessions: {
    summary: 'Ends every session of the user.',
    errors: ['must_be_authenticated'],
  },
  bindDevice: {
    summary:
      'Binds the session of a login that named no vault to a device: within 60 s of the login, once, with the `device_secret` of its answer and a statement of the vault whose purpose is `login`, in the header `latchkey-device`. A session without a device has no wallet.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'device_not_bound', 'invalid_data'],
  },
  createSessionCode: {
    summary: 'A one-use code of 60 s that may stand in a URL and is no secret afterwards.',
    errors: ['must_be_authenticated'],
  },
  redeemSessionCode: {
    summary:
      'Starts the session of a one-use code, for the first key that brings it. It has the limits of a fork.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
}
