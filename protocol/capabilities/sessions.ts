import * as v from 'valibot'
import { base64url, text } from '../entities/primitives.ts'
import { oauthTokensSchema, sessionUpdateActions } from '../entities/session.ts'
import { userRecordSchema } from '../entities/user.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { vaultKeySchema } from '../vault/operations.ts'
import type { PendingWallet } from '../vault/pending-wallet.ts'

const token = v.nullable(text)

/**
 * A login may name the key of a waiting vault and send the vault's statement in a header. The session is then bound to
 * its device. The answer carries the wallet token of the first step, `create` or `connect`, unless another post-login
 * step comes first.
 */
export const loginVault = v.exactOptional(vaultKeySchema)
const loginWalletToken = v.exactOptional(
  v.object({
    token: text,
    purpose: v.picklist(['create', 'connect']),
    /**
     * The slot that the server reserved for `create`, as the wallet frame's message `wallet:create` takes it. The dialog
     * passes it on unread.
     */
    place: v.exactOptional(v.unknown() as v.GenericSchema<PendingWallet>),
  }),
)

/**
 * `hostToken` is returned to the host page by `getAccessToken()`. It belongs to the same session and has the scope
 * `host`.
 */
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
   * The secret that binds one vault to the session, once, within 60 s. Only for a login that named no vault. The dialog
   * keeps it in memory.
   */
  deviceSecret: v.exactOptional(base64url),
  /** The user has unanswered notices (`/users/me/notices`). */
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
  /** The device statement is in a header. */
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
      'Returns new tokens for the refresh token, or for the refresh cookie in cookie mode. Repeating a refresh returns the same successor until that successor is used.',
    errors: ['missing_or_invalid_token', 'too_many_requests'],
  },
  forkSession: {
    summary:
      'Creates a one-use token, valid for 60 s, that starts a session in another browser context. The fork ends with its parent session and is bound to the first key that uses the token.',
    errors: ['missing_or_invalid_token', 'must_be_authenticated', 'insufficient_scope'],
  },
  recoverFork: {
    summary: 'Starts the session of a fork token. A retry with the same key returns the same session.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
  logout: {
    summary: 'Ends this session and its forks.',
    errors: ['missing_or_invalid_token'],
  },
  revokeAllSessions: {
    summary: 'Ends all sessions of the user.',
    errors: ['must_be_authenticated'],
  },
  bindDevice: {
    summary:
      'Binds a device to the session of a login that named no vault. Allowed once, within 60 s of the login. Requires the `device_secret` of the login response, and a vault statement with purpose `login` in the header `latchkey-device`. A session without a device has no wallet.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'device_not_bound', 'invalid_data'],
  },
  createSessionCode: {
    summary: 'Creates a one-use code, valid for 60 s. It may appear in a URL and is worthless after use.',
    errors: ['must_be_authenticated'],
  },
  redeemSessionCode: {
    summary:
      'Starts the session of a one-use code, bound to the first key that redeems it. The session has the limits of a fork.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
}
