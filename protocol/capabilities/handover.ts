/**
 * A login in a window of its own goes over to the wallet's page in the same window: the dialog's session ends, and one
 * begins that belongs to the device of that page alone. Its tokens are proved by the key of the device, in the vault.
 */
import * as v from 'valibot'
import { base64url, text } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'

const refreshToken = v.pipe(text, v.nonEmpty())
const windowSession = v.object({ user: userRecordSchema, token: text, refreshToken: text })

export const handoverRoutes = {
  /** `secret`: the `deviceSecret` of the login's answer, good once and for a minute. */
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
  /** The device's key proves the call: the session belongs to that key from here on, and its device is that key. */
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
  /** As `/sessions`, but always in the body: the page has no cookies. With a proof over the refresh token. */
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
      "A code with which the page of the wallet takes a login over, once and for 60 s. Only a login that has no device, by the secret of that login's answer.",
    errors: ['must_be_authenticated', 'insufficient_scope', 'device_not_bound'],
  },
  redeemHandover: {
    summary:
      'A session of its own for whoever brings the code: its key and its device are the key of the proof. The session that made the code ends. For the page of the wallet alone.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
  refreshHandedOver: {
    summary:
      'New tokens of a session that was handed over, as `/sessions` gives them to others, and always in the body.',
    errors: ['missing_or_invalid_token'],
  },
}
