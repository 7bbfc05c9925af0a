/**
 * Hands a login over from the dialog to the wallet page in the same window. The dialog's session ends, and a session
 * starts that belongs to that page's device alone. The vault's device key proves its tokens.
 */
import * as v from 'valibot'
import { base64url, text } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'

const refreshToken = v.pipe(text, v.nonEmpty())
const windowSession = v.object({ user: userRecordSchema, token: text, refreshToken: text })

export const handoverRoutes = {
  /** `secret` is the `deviceSecret` of the login response. It is valid once, for one minute. */
  createHandover: {
    method: 'POST',
    path: '/sessions/handover',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ secret: base64url }),
    output: v.object({ code: base64url, expiresInSeconds: v.number() }),
  },
  /** The call is proved by the device's key. The session is bound to that key, which is also its device. */
  redeemHandover: {
    method: 'POST',
    path: '/sessions/handover/redeem',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ code: base64url }),
    output: windowSession,
  },
  /**
   * Like `/sessions`, but the token is always in the body because the page has no cookies. Requires a proof over the
   * refresh token.
   */
  refreshHandedOver: {
    method: 'POST',
    path: '/sessions/handover/refresh',
    auth: 'none',
    forks: true,
    effect: 'changes',
    appHeader: true,
    body: v.object({ refreshToken }),
    output: windowSession,
  },
} as const satisfies Routes

export const handoverDoc: RoutesDoc<typeof handoverRoutes> = {
  createHandover: {
    summary:
      'Creates a one-use code, valid for 60 s, with which the wallet page takes over the login. Requires a login without a device, and the secret of its response.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'device_not_bound'],
  },
  redeemHandover: {
    summary:
      'Starts a session for the code. The key of the proof is its session key and its device. Ends the session that created the code. For the wallet page only.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
  refreshHandedOver: {
    summary: 'Returns new tokens of a handed-over session, like `/sessions`, always in the body.',
    errors: ['missing_or_invalid_token'],
  },
}
