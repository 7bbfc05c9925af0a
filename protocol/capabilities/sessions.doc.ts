import type { RoutesDoc } from '../rows/route.ts'
import type { sessionRoutes } from './sessions.ts'

export const sessionDoc: RoutesDoc<typeof sessionRoutes> = {
  refreshSession: {
    says: 'New tokens for the refresh token, or for the refresh cookie in cookie mode. The same parent gives the same successor until that was used.',
    errors: ['missing_or_invalid_token', 'too_many_requests'],
  },
  forkSession: {
    says: 'A one-use token of 60 s from which another browser context starts a session of its own that dies with this one. The first key that uses it binds it.',
    errors: ['missing_or_invalid_token', 'must_be_authenticated', 'insufficient_scope'],
  },
  recoverFork: {
    says: 'Starts the session of a forked token. A retry by the same key gets the same session.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
  logout: {
    says: 'Ends this session and its forks.',
    errors: ['missing_or_invalid_token'],
  },
  revokeAllSessions: {
    says: 'Ends every session of the user.',
    errors: ['must_be_authenticated'],
  },
  bindDevice: {
    says: 'Binds the session of a login that named no vault to a device: within 60 s of the login, once, with the `device_secret` of its answer and a statement of the vault whose purpose is `login`, in the header `latchkey-device`. A session without a device has no wallet.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'device_not_bound', 'invalid_data'],
  },
  createSessionCode: {
    says: 'A one-use code of 60 s that may stand in a URL and is no secret afterwards.',
    errors: ['must_be_authenticated'],
  },
  redeemSessionCode: {
    says: 'Starts the session of a one-use code, for the first key that brings it. It has the limits of a fork.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
}
