// Written by `npm run reference` from the rows of protocol/admin. Do not edit.

export type ListUsersQuery = {
  after?: string
  limit?: number
  created_after?: string
  created_before?: string
  blocked?: boolean
  email?: string
  phone?: string
  wallet?: string
  account?: string
  external_id?: string
}
/** The answer of a call that lists users, newest first, or looks up users by one of `email`, `phone`, `wallet`, `account` and `external_id`. */
export type ListUsersAnswer = {
  data: {
    id: string
    app_id: string
    created_at: string
    blocked: {
      at: string
      reason: string | null
    } | null
    accounts: {
      type: string
      identifier: string
      name: string | null
      email: string | null
      first_verified_at: string
      latest_verified_at: string
    }[]
  }[]
  next: string | null
}

export type SearchUsersBody = {
  prefix: string
  kinds?: ('email' | 'external_id')[]
  limit?: number
}
/** The answer of a call that finds users by the start of an e-mail address or external id. */
export type SearchUsersAnswer = {
  data: {
    id: string
    app_id: string
    created_at: string
    blocked: {
      at: string
      reason: string | null
    } | null
    accounts: {
      type: string
      identifier: string
      name: string | null
      email: string | null
      first_verified_at: string
      latest_verified_at: string
    }[]
  }[]
}

/** The answer of a call that returns a user with accounts, wallets and verification methods. */
export type GetUserAnswer = {
  id: string
  app_id: string
  created_at: string
  blocked: {
    at: string
    reason: string | null
  } | null
  accounts: {
    type: string
    identifier: string
    name: string | null
    email: string | null
    first_verified_at: string
    latest_verified_at: string
  }[]
  has_accepted_terms: boolean
  wallets: {
    address: string
    chain_type: string
    recovery_method: string
    imported: boolean
    created_at: string
  }[]
  factors: {
    type: 'totp' | 'sms' | 'passkey'
    enrolled_at: string
  }[]
}

export type UpdateUserBody = {
  blocked: {
    reason?: string
  } | null
}
/** The answer of a call that blocks a user and ends their sessions, or removes the block (`"blocked": null`). */
export type UpdateUserAnswer = {
  id: string
  blocked: boolean
  sessions_ended: number
}

/** The answer of a call that deletes a user and their wallets. The shares are destroyed before the answer. */
export type DeleteUserAnswer = {
  id: string
}

/** The answer of a call that lists the living sessions of a user, newest first. */
export type ListSessionsAnswer = {
  data: {
    id: string
    kind: 'login' | 'fork'
    parent_id: string | null
    created_at: string
    last_used_at: string
    expires_at: string
  }[]
}

/** The answer of a call that ends all sessions of a user. */
export type EndSessionsAnswer = {
  sessions_ended: number
}

/** The answer of a call that ends one session with its forks. */
export type EndSessionAnswer = {
  sessions_ended: number
}

/** The answer of a call that removes all verification methods of a user after their loss, and ends the sessions. */
export type ResetFactorsAnswer = {
  removed: ('totp' | 'sms' | 'passkey')[]
  sessions_ended: number
}

export type ListAuditQuery = {
  app?: string
  event?: string
  user?: string
  after?: string
  limit?: number
}
/** The answer of a call that lists the audit entries of `app`, newest first. Without `app`, it lists those of the app of the key, or those of calls without an app. */
export type ListAuditAnswer = {
  data: {
    app_id: string | null
    sequence: number
    at: string
    actor: string
    event: string
    scope: string
    user_id: string | null
    target: string | null
    status: number
    result: string
    request_id: string
    before_digest: string | null
    after_digest: string | null
    address: string | null
    prev: string
    hash: string
  }[]
  next: string | null
}

export type StreamAuditQuery = {
  app?: string
  after?: string
}
/** The answer of a call that streams the audit entries of one app, oldest first, up to the entry of the call itself. Continue with the last `sequence` as `after`. */
export type StreamAuditAnswer = {
  app_id: string | null
  sequence: number
  at: string
  actor: string
  event: string
  scope: string
  user_id: string | null
  target: string | null
  status: number
  result: string
  request_id: string
  before_digest: string | null
  after_digest: string | null
  address: string | null
  prev: string
  hash: string
}

/** The answer of a call that returns the last entry of each audit chain that the key may see. Store it elsewhere, to detect missing entries. */
export type ReadAuditHeadAnswer = {
  data: {
    app_id: string | null
    sequence: number
    hash: string
    signed_at: string
    key_id: string
    signature: string
  }[]
}

export type AdminErrorCode =
  | 'missing_or_invalid_key'
  | 'key_revoked'
  | 'key_expired'
  | 'address_not_allowed'
  | 'insufficient_scope'
  | 'browser_not_allowed'
  | 'not_found'
  | 'app_not_found'
  | 'user_not_found'
  | 'session_not_found'
  | 'method_not_allowed'
  | 'invalid_data'
  | 'already_blocked'
  | 'not_blocked'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'internal_error'
  | 'unavailable'

/** The method and path of each call. */
export const calls = {
  listUsers: { method: 'GET', path: '/admin/v1/apps/{app}/users', changes: false },
  searchUsers: { method: 'POST', path: '/admin/v1/apps/{app}/users/search', changes: false },
  getUser: { method: 'GET', path: '/admin/v1/apps/{app}/users/{user}', changes: false },
  updateUser: { method: 'PATCH', path: '/admin/v1/apps/{app}/users/{user}', changes: true },
  deleteUser: { method: 'DELETE', path: '/admin/v1/apps/{app}/users/{user}', changes: true },
  listSessions: { method: 'GET', path: '/admin/v1/apps/{app}/users/{user}/sessions', changes: false },
  endSessions: { method: 'DELETE', path: '/admin/v1/apps/{app}/users/{user}/sessions', changes: true },
  endSession: { method: 'DELETE', path: '/admin/v1/apps/{app}/users/{user}/sessions/{session}', changes: true },
  resetFactors: { method: 'POST', path: '/admin/v1/apps/{app}/users/{user}/factors/reset', changes: true },
  listAudit: { method: 'GET', path: '/admin/v1/audit', changes: false },
  streamAudit: { method: 'GET', path: '/admin/v1/audit/stream', changes: false },
  readAuditHead: { method: 'GET', path: '/admin/v1/audit/head', changes: false },
} as const
