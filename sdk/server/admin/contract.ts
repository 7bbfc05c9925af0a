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
    expected_accounts: {
      type: string
      identifier: string
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
    expected_accounts: {
      type: string
      identifier: string
    }[]
  }[]
}

export type CreateUserBody = {
  accounts: {
    type: 'email' | 'phone' | 'google_oauth' | 'apple_oauth' | 'discord_oauth' | 'github_oauth' | 'linkedin_oauth' | 'spotify_oauth' | 'instagram_oauth' | 'twitter_oauth' | 'tiktok_oauth' | 'wallet' | 'farcaster' | 'telegram' | 'cross_app' | 'oidc' | 'custom_auth'
    identifier: string
  }[]
  external_id?: string
  metadata?: {
    public?: object
    private?: object
  }
}
/** The answer of a call that creates a user before their first login. The first login with one of the accounts, proven as always, takes over the user. */
export type CreateUserAnswer = {
  id: string
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
  expected_accounts: {
    type: string
    identifier: string
  }[]
  external_id: string | null
  metadata: {
    public: object
    private: object
  }
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
  blocked?: {
    reason?: string
  } | null
  metadata?: {
    public?: object
    private?: object
  }
  external_id?: string | null
}
/** The answer of a call that blocks a user and ends their sessions, removes the block (`"blocked": null`), or sets metadata and the external id. */
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

export type UnlinkAccountBody = {
  type: 'email' | 'phone' | 'google_oauth' | 'apple_oauth' | 'discord_oauth' | 'github_oauth' | 'linkedin_oauth' | 'spotify_oauth' | 'instagram_oauth' | 'twitter_oauth' | 'tiktok_oauth' | 'wallet' | 'farcaster' | 'telegram' | 'cross_app' | 'oidc' | 'custom_auth'
  identifier: string
}
/** The answer of a call that unlinks an account from a user, but never their last one. */
export type UnlinkAccountAnswer = {
  id: string
}

/** The answer of a call that removes all verification methods of a user after their loss, and ends the sessions. With `users:support`, the first call asks for it, and the call of another operator within 24 hours removes them. */
export type ResetFactorsAnswer = {
  removed: ('totp' | 'sms' | 'passkey')[]
  sessions_ended: number
  request: {
    operator: string
    at: string
    expires_at: string
  } | null
}

/** The answer of a call that returns the request to remove the verification methods of a user that waits for another operator. */
export type GetFactorResetAnswer = {
  request: {
    operator: string
    at: string
    expires_at: string
  } | null
}

/** The answer of a call that cancels such a request. */
export type CancelFactorResetAnswer = {
  request: {
    operator: string
    at: string
    expires_at: string
  } | null
}

export type ExportUsersQuery = {
  after?: string
}
/** The answer of a call that streams all users of an app, oldest first, without any secret or share. Continue with the last `cursor` as `after`. */
export type ExportUsersAnswer = {
  cursor: string
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
  expected_accounts: {
    type: string
    identifier: string
  }[]
  external_id: string | null
  metadata: {
    public: object
    private: object
  }
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

export type ListImportsQuery = {
  app: string
  after?: string
  limit?: number
}
/** The answer of a call that lists the imports of an app, newest first. Finished ones are kept for 30 days. */
export type ListImportsAnswer = {
  data: {
    id: string
    app_id: string
    source: 'latchkey' | 'csv' | 'auth0' | 'clerk' | 'firebase' | 'supabase' | 'privy' | 'dynamic'
    dry_run: boolean
    state: 'open' | 'running' | 'finished' | 'cancelled' | 'failed'
    parts: number
    records: number
    done: number
    created: number
    merged: number
    conflicts: number
    skipped: number
    created_at: string
    started_at: string | null
    ended_at: string | null
  }[]
  next: string | null
}

export type CreateImportBody = {
  app: string
  source: 'latchkey' | 'csv' | 'auth0' | 'clerk' | 'firebase' | 'supabase' | 'privy' | 'dynamic'
  dry_run?: boolean
}
/** The answer of a call that creates an import of users. Upload its parts next. A dry run changes no user. */
export type CreateImportAnswer = {
  id: string
  app_id: string
  source: 'latchkey' | 'csv' | 'auth0' | 'clerk' | 'firebase' | 'supabase' | 'privy' | 'dynamic'
  dry_run: boolean
  state: 'open' | 'running' | 'finished' | 'cancelled' | 'failed'
  parts: number
  records: number
  done: number
  created: number
  merged: number
  conflicts: number
  skipped: number
  created_at: string
  started_at: string | null
  ended_at: string | null
}

/** The answer of a call that uploads a part of the file, numbered from 1, as NDJSON or CSV, also with `Content-Encoding: gzip`. Replaces an earlier upload of this part. */
export type UploadImportPartAnswer = {
  part: number
  records: number
  bytes: number
}

/** The answer of a call that starts an import, or continues a failed one. An import that runs or is finished stays as it is. */
export type StartImportAnswer = {
  id: string
  app_id: string
  source: 'latchkey' | 'csv' | 'auth0' | 'clerk' | 'firebase' | 'supabase' | 'privy' | 'dynamic'
  dry_run: boolean
  state: 'open' | 'running' | 'finished' | 'cancelled' | 'failed'
  parts: number
  records: number
  done: number
  created: number
  merged: number
  conflicts: number
  skipped: number
  created_at: string
  started_at: string | null
  ended_at: string | null
}

/** The answer of a call that returns an import with its progress. */
export type GetImportAnswer = {
  id: string
  app_id: string
  source: 'latchkey' | 'csv' | 'auth0' | 'clerk' | 'firebase' | 'supabase' | 'privy' | 'dynamic'
  dry_run: boolean
  state: 'open' | 'running' | 'finished' | 'cancelled' | 'failed'
  parts: number
  records: number
  done: number
  created: number
  merged: number
  conflicts: number
  skipped: number
  created_at: string
  started_at: string | null
  ended_at: string | null
}

export type ReadImportReportQuery = {
  after?: string
  result?: 'created' | 'merged' | 'conflict' | 'skipped'
}
/** The answer of a call that streams the result of each record, in the order of parts and lines. Continue with the last `cursor` as `after`. */
export type ReadImportReportAnswer = {
  cursor: string
  part: number
  line: number
  result: 'created' | 'merged' | 'conflict' | 'skipped'
  why: 'malformed_json' | 'malformed_csv' | 'record_too_large' | 'invalid_record' | 'invalid_external_id' | 'invalid_metadata' | 'metadata_too_large' | 'deleted_at_source' | 'no_account' | 'app_full' | 'exists' | 'duplicate' | 'several_users' | 'other_external_id' | 'account_taken' | null
  id: string | null
  left_out: ('unverified_email' | 'unverified_phone' | 'invalid_identifier' | 'unsupported_account' | 'passkey' | 'embedded_wallet' | 'too_many_accounts')[]
}

/** The answer of a call that ends an import and deletes its remaining records. Imported users stay. */
export type CancelImportAnswer = {
  id: string
  app_id: string
  source: 'latchkey' | 'csv' | 'auth0' | 'clerk' | 'firebase' | 'supabase' | 'privy' | 'dynamic'
  dry_run: boolean
  state: 'open' | 'running' | 'finished' | 'cancelled' | 'failed'
  parts: number
  records: number
  done: number
  created: number
  merged: number
  conflicts: number
  skipped: number
  created_at: string
  started_at: string | null
  ended_at: string | null
}

export type ListAppsQuery = {
  after?: string
  limit?: number
}
/** The answer of a call that lists the apps that the key may act on, newest first. */
export type ListAppsAnswer = {
  data: {
    id: string
    name: string
    environment: 'development' | 'production'
    allowed_origins: string[]
    created_at: string
    updated_at: string
  }[]
  next: string | null
}

export type CreateAppBody = {
  name: string
  environment?: 'development' | 'production'
  allowed_origins?: string[]
}
/** The answer of a call that creates an app. The key must be for every app. */
export type CreateAppAnswer = {
  id: string
}

/** The answer of a call that returns an app with its settings. */
export type GetAppAnswer = {
  id: string
  name: string
  environment: 'development' | 'production'
  allowed_origins: string[]
  created_at: string
  updated_at: string
  settings: object
}

export type UpdateAppBody = {
  settings: object
}
/** The answer of a call that changes settings of an app, all or none. A change that widens approvals, logins or origins needs a proposal. */
export type UpdateAppAnswer = {
  id: string
  name: string
  environment: 'development' | 'production'
  allowed_origins: string[]
  created_at: string
  updated_at: string
  settings: object
}

export type ListAllowlistQuery = {
  after?: string
  limit?: number
}
/** The answer of a call that lists the accounts that may log in while `allowlist_enabled` is true. */
export type ListAllowlistAnswer = {
  data: {
    type: string
    identifier: string
  }[]
  next: string | null
}

export type UpdateAllowlistBody = {
  add?: {
    type: string
    identifier: string
  }[]
  remove?: {
    type: string
    identifier: string
  }[]
}
/** The answer of a call that adds and removes entries of the allowlist, all or none. */
export type UpdateAllowlistAnswer = {
  added: number
  removed: number
}

/** The answer of a call that lists the apps that may ask users of this one for their wallets. */
export type ListRequestersAnswer = {
  data: {
    client_id: string
    name: string
    origin: string
    redirect_addresses: string[]
    has_key: boolean
  }[]
}

/** The answer of a call that removes such an app, and ends its connections. */
export type RemoveRequesterAnswer = {
  client_id: string
  connections_ended: number
}

export type TryApprovalBody = {
  transaction?: {
    chain_id: number
    to?: string
    value?: string
    data?: string
    gas?: string
    max_fee_per_gas?: string
  }
  typed_data?: string
  message?: string
  from?: string
  place?: 'silent' | 'frame' | 'unseen'
}
/** The answer of a call that returns where a request would be approved and why, for a wallet that has spent nothing today. Nothing is stored. The body has one of `transaction`, `typed_data` and `message`. */
export type TryApprovalAnswer = {
  place: 'silent' | 'frame' | 'unseen' | 'page' | 'refused'
  reason: 'plain_message' | 'account_action' | 'test_network' | 'within_allowance' | 'within_limits' | 'beyond_allowance' | 'too_often' | 'allowance_or_permit' | 'not_understood' | 'no_price' | 'sign_in_elsewhere' | 'relayed' | 'browser' | null
  refusal: {
    code: string
    message: string
  } | null
  usd: string | null
  limits: {
    name: string
    unit: 'cents' | 'times'
    most: number | null
  }[]
}

export type ListProposalsQuery = {
  after?: string
  limit?: number
}
/** The answer of a call that lists the proposals of an app, newest first. */
export type ListProposalsAnswer = {
  data: {
    id: string
    app_id: string
    state: 'proposed' | 'approved' | 'applied' | 'cancelled' | 'expired'
    settings: object | null
    requester: {
      client_id: string
      name: string
      origin: string
      redirect_addresses: string[]
      jwk?: object | null
    } | null
    replaces: {
      settings: object
      requester: {
        client_id: string
        name: string
        origin: string
        redirect_addresses: string[]
        jwk?: object | null
      } | null
    }
    widens: string[]
    note: string | null
    proposed: {
      operator: string
      at: string
    }
    approved: {
      operator: string
      at: string
    } | null
    applies_from: string | null
    expires_at: string
    ended: {
      operator: string
      at: string
    } | null
  }[]
  next: string | null
}

export type CreateProposalBody = {
  settings?: object
  requester?: {
    client_id: string
    name: string
    origin: string
    redirect_addresses: string[]
    jwk?: object | null
  }
  note?: string
}
/** The answer of a call that proposes settings that widen approvals, logins or origins, or a requester. */
export type CreateProposalAnswer = {
  id: string
  app_id: string
  state: 'proposed' | 'approved' | 'applied' | 'cancelled' | 'expired'
  settings: object | null
  requester: {
    client_id: string
    name: string
    origin: string
    redirect_addresses: string[]
    jwk?: object | null
  } | null
  replaces: {
    settings: object
    requester: {
      client_id: string
      name: string
      origin: string
      redirect_addresses: string[]
      jwk?: object | null
    } | null
  }
  widens: string[]
  note: string | null
  proposed: {
    operator: string
    at: string
  }
  approved: {
    operator: string
    at: string
  } | null
  applies_from: string | null
  expires_at: string
  ended: {
    operator: string
    at: string
  } | null
}

/** The answer of a call that returns a proposal. */
export type GetProposalAnswer = {
  id: string
  app_id: string
  state: 'proposed' | 'approved' | 'applied' | 'cancelled' | 'expired'
  settings: object | null
  requester: {
    client_id: string
    name: string
    origin: string
    redirect_addresses: string[]
    jwk?: object | null
  } | null
  replaces: {
    settings: object
    requester: {
      client_id: string
      name: string
      origin: string
      redirect_addresses: string[]
      jwk?: object | null
    } | null
  }
  widens: string[]
  note: string | null
  proposed: {
    operator: string
    at: string
  }
  approved: {
    operator: string
    at: string
  } | null
  applies_from: string | null
  expires_at: string
  ended: {
    operator: string
    at: string
  } | null
}

/** The answer of a call that approves the proposal of another operator. It can be applied 24 hours later. */
export type ApproveProposalAnswer = {
  id: string
  app_id: string
  state: 'proposed' | 'approved' | 'applied' | 'cancelled' | 'expired'
  settings: object | null
  requester: {
    client_id: string
    name: string
    origin: string
    redirect_addresses: string[]
    jwk?: object | null
  } | null
  replaces: {
    settings: object
    requester: {
      client_id: string
      name: string
      origin: string
      redirect_addresses: string[]
      jwk?: object | null
    } | null
  }
  widens: string[]
  note: string | null
  proposed: {
    operator: string
    at: string
  }
  approved: {
    operator: string
    at: string
  } | null
  applies_from: string | null
  expires_at: string
  ended: {
    operator: string
    at: string
  } | null
}

/** The answer of a call that cancels a proposal that is not applied yet. */
export type CancelProposalAnswer = {
  id: string
  app_id: string
  state: 'proposed' | 'approved' | 'applied' | 'cancelled' | 'expired'
  settings: object | null
  requester: {
    client_id: string
    name: string
    origin: string
    redirect_addresses: string[]
    jwk?: object | null
  } | null
  replaces: {
    settings: object
    requester: {
      client_id: string
      name: string
      origin: string
      redirect_addresses: string[]
      jwk?: object | null
    } | null
  }
  widens: string[]
  note: string | null
  proposed: {
    operator: string
    at: string
  }
  approved: {
    operator: string
    at: string
  } | null
  applies_from: string | null
  expires_at: string
  ended: {
    operator: string
    at: string
  } | null
}

/** The answer of a call that applies an approved proposal after its waiting time. */
export type ApplyProposalAnswer = {
  id: string
  app_id: string
  state: 'proposed' | 'approved' | 'applied' | 'cancelled' | 'expired'
  settings: object | null
  requester: {
    client_id: string
    name: string
    origin: string
    redirect_addresses: string[]
    jwk?: object | null
  } | null
  replaces: {
    settings: object
    requester: {
      client_id: string
      name: string
      origin: string
      redirect_addresses: string[]
      jwk?: object | null
    } | null
  }
  widens: string[]
  note: string | null
  proposed: {
    operator: string
    at: string
  }
  approved: {
    operator: string
    at: string
  } | null
  applies_from: string | null
  expires_at: string
  ended: {
    operator: string
    at: string
  } | null
}

/** The answer of a call that lists the webhooks of an app, oldest first. */
export type ListWebhooksAnswer = {
  data: {
    id: string
    app_id: string
    url: string
    description: string
    events: string[]
    state: 'enabled' | 'paused'
    paused: {
      at: string
      reason: 'operator' | 'gone' | 'failing'
    } | null
    failing_since: string | null
    created_at: string
  }[]
}

export type CreateWebhookBody = {
  url: string
  description?: string
  events?: ('user.created' | 'user.authenticated' | 'user.linked_account' | 'user.unlinked_account' | 'user.updated_account' | 'user.reverted_change' | 'user.deleted' | 'user.blocked' | 'user.unblocked' | 'user.wallet_created' | 'wallet.imported' | 'wallet.exported' | 'wallet.recovered' | 'wallet.recovery_changed' | 'mfa.enabled' | 'mfa.disabled' | 'session.revoked' | 'cross_app.granted' | 'cross_app.revoked' | 'approvals.proposed' | 'approvals.changed' | 'import.finished' | 'webhook.paused' | 'webhook.test')[]
}
/** The answer of a call that creates a webhook with a new secret, which `readWebhookSecret` returns. */
export type CreateWebhookAnswer = {
  id: string
}

/** The answer of a call that returns a webhook. */
export type GetWebhookAnswer = {
  id: string
  app_id: string
  url: string
  description: string
  events: string[]
  state: 'enabled' | 'paused'
  paused: {
    at: string
    reason: 'operator' | 'gone' | 'failing'
  } | null
  failing_since: string | null
  created_at: string
}

export type UpdateWebhookBody = {
  url?: string
  description?: string
  events?: ('user.created' | 'user.authenticated' | 'user.linked_account' | 'user.unlinked_account' | 'user.updated_account' | 'user.reverted_change' | 'user.deleted' | 'user.blocked' | 'user.unblocked' | 'user.wallet_created' | 'wallet.imported' | 'wallet.exported' | 'wallet.recovered' | 'wallet.recovery_changed' | 'mfa.enabled' | 'mfa.disabled' | 'session.revoked' | 'cross_app.granted' | 'cross_app.revoked' | 'approvals.proposed' | 'approvals.changed' | 'import.finished' | 'webhook.paused' | 'webhook.test')[]
  state?: 'enabled' | 'paused'
}
/** The answer of a call that changes a webhook, pauses it or enables it again. A pause fails its pending deliveries. */
export type UpdateWebhookAnswer = {
  id: string
}

/** The answer of a call that deletes a webhook with its secrets and deliveries. */
export type DeleteWebhookAnswer = {
  id: string
}

/** The answer of a call that returns the secrets that sign deliveries, newest first, with their public keys. */
export type ReadWebhookSecretAnswer = {
  data: {
    secret: string
    public_key: string
    expires_at: string | null
  }[]
}

export type RotateWebhookSecretBody = {
  overlap_seconds?: number
}
/** The answer of a call that creates another secret. Earlier ones sign too until the overlap ends, 24 hours unless set. */
export type RotateWebhookSecretAnswer = {
  id: string
  earlier_expire_at: string
}

export type ListWebhookDeliveriesQuery = {
  after?: string
  limit?: number
  state?: 'pending' | 'delivered' | 'failed'
}
/** The answer of a call that lists the deliveries of a webhook, newest first. */
export type ListWebhookDeliveriesAnswer = {
  data: {
    id: string
    type: string
    state: 'pending' | 'delivered' | 'failed'
    created_at: string
    attempts: number
    next_attempt_at: string | null
    last_attempt: {
      at: string
      status: number | null
      duration_ms: number
      error: string | null
    } | null
  }[]
  next: string | null
}

/** The answer of a call that returns a delivery with the body that was sent and its latest attempts, newest first. */
export type GetWebhookDeliveryAnswer = {
  id: string
  type: string
  state: 'pending' | 'delivered' | 'failed'
  created_at: string
  attempts: number
  next_attempt_at: string | null
  last_attempt: {
    at: string
    status: number | null
    duration_ms: number
    error: string | null
  } | null
  body: string
  history: {
    at: string
    status: number | null
    duration_ms: number
    error: string | null
  }[]
}

export type ReplayWebhookBody = {
  ids?: string[]
  state?: 'failed'
  created_after?: string
  created_before?: string
}
/** The answer of a call that sends deliveries again: those with `ids`, or all that failed (`"state": "failed"`), or all events of a time range, also events from before the webhook. */
export type ReplayWebhookAnswer = {
  replayed: number
  has_more: boolean
}

/** The answer of a call that sends the event `webhook.test` to a webhook. Its delivery shows the outcome. */
export type TestWebhookAnswer = {
  id: string
}

/** The answer of a call that lists the hooks of an app. */
export type ListHooksAnswer = {
  data: {
    id: string
    app_id: string
    kind: 'login.before' | 'token.claims' | 'message.send'
    url: string
    on_failure: 'allow' | 'deny'
    state: 'enabled' | 'disabled'
    created_at: string
  }[]
}

export type CreateHookBody = {
  kind: 'login.before' | 'token.claims'
  url: string
  on_failure: 'allow' | 'deny'
}
/** The answer of a call that creates a hook with a new secret, which `readHookSecret` returns. An app has one of each kind. `latchkey app hooks` creates `message.send`. */
export type CreateHookAnswer = {
  id: string
}

/** The answer of a call that returns a hook. */
export type GetHookAnswer = {
  id: string
  app_id: string
  kind: 'login.before' | 'token.claims' | 'message.send'
  url: string
  on_failure: 'allow' | 'deny'
  state: 'enabled' | 'disabled'
  created_at: string
}

export type UpdateHookBody = {
  url?: string
  on_failure?: 'allow' | 'deny'
  state?: 'enabled' | 'disabled'
}
/** The answer of a call that changes a hook, disables it or enables it again. `message.send` can only be disabled. */
export type UpdateHookAnswer = {
  id: string
}

/** The answer of a call that deletes a hook with its secrets. */
export type DeleteHookAnswer = {
  id: string
}

/** The answer of a call that returns the secrets that sign questions, newest first, with their public keys. */
export type ReadHookSecretAnswer = {
  data: {
    secret: string
    public_key: string
    expires_at: string | null
  }[]
}

/** The answer of a call that creates another secret. Earlier ones sign too for 24 hours. */
export type RotateHookSecretAnswer = {
  id: string
  earlier_expire_at: string
}

/** The answer of a call that lists the words of each message in each language of the dialog: yours, or ours as a template. */
export type ListMessagesAnswer = {
  data: {
    kind: 'login_code' | 'confirmation_code' | 'confirmation_code_sms' | 'notice'
    locale: string
    is_own: boolean
    subject: string | null
    heading: string | null
    blocks: string[]
    updated_at: string | null
  }[]
}

/** The answer of a call that returns the words of a message: yours, or ours as a template. */
export type GetMessageAnswer = {
  kind: 'login_code' | 'confirmation_code' | 'confirmation_code_sms' | 'notice'
  locale: string
  is_own: boolean
  subject: string | null
  heading: string | null
  blocks: string[]
  updated_at: string | null
}

export type SetMessageBody = {
  subject: string | null
  heading: string | null
  blocks: string[]
}
/** The answer of a call that replaces the words of a message. */
export type SetMessageAnswer = {
  kind: 'login_code' | 'confirmation_code' | 'confirmation_code_sms' | 'notice'
  locale: string
  is_own: boolean
  subject: string | null
  heading: string | null
  blocks: string[]
  updated_at: string | null
}

/** The answer of a call that deletes your words, so that the message has ours. */
export type ResetMessageAnswer = {
  kind: 'login_code' | 'confirmation_code' | 'confirmation_code_sms' | 'notice'
  locale: string
  is_own: boolean
  subject: string | null
  heading: string | null
  blocks: string[]
  updated_at: string | null
}

export type PreviewMessageBody = {
  subject: string | null
  heading: string | null
  blocks: string[]
}
/** The answer of a call that renders a message with a made-up code. Without a body that differs from ours, it is the default message. */
export type PreviewMessageAnswer = {
  subject: string | null
  heading: string | null
  text: string
  html: string | null
}

export type TestMessageBody = {
  subject: string | null
  heading: string | null
  blocks: string[]
  to: string
}
/** The answer of a call that sends a message that is marked as a test, with a made-up code that never works. Ten an hour for each app. */
export type TestMessageAnswer = {
  to: string
}

/** The answer of a call that lists the OpenID providers of an app, oldest first, without their secrets. */
export type ListOidcProvidersAnswer = {
  data: {
    id: string
    login_method: string
    name: string
    issuer: string
    client_id: string
    state: 'enabled' | 'disabled'
    redirect_uri: string
    logout_uri: string
    created_at: string
  }[]
}

export type CreateOidcProviderBody = {
  id: string
  name: string
  issuer: string
  client_id: string
  client_secret: string
}
/** The answer of a call that adds an OpenID provider after reading its discovery document. Users see it if the page lists its login method. */
export type CreateOidcProviderAnswer = {
  id: string
  login_method: string
  name: string
  issuer: string
  client_id: string
  state: 'enabled' | 'disabled'
  redirect_uri: string
  logout_uri: string
  created_at: string
}

/** The answer of a call that returns an OpenID provider, without its secret. */
export type GetOidcProviderAnswer = {
  id: string
  login_method: string
  name: string
  issuer: string
  client_id: string
  state: 'enabled' | 'disabled'
  redirect_uri: string
  logout_uri: string
  created_at: string
}

export type UpdateOidcProviderBody = {
  name?: string
  client_secret?: string
  state?: 'enabled' | 'disabled'
}
/** The answer of a call that renames an OpenID provider, replaces its client secret, disables it or enables it again. `latchkey app oidc` removes it. */
export type UpdateOidcProviderAnswer = {
  id: string
  login_method: string
  name: string
  issuer: string
  client_id: string
  state: 'enabled' | 'disabled'
  redirect_uri: string
  logout_uri: string
  created_at: string
}

/** The answer of a call that reads the discovery document of an OpenID provider again. */
export type RefreshOidcProviderAnswer = {
  id: string
  login_method: string
  name: string
  issuer: string
  client_id: string
  state: 'enabled' | 'disabled'
  redirect_uri: string
  logout_uri: string
  created_at: string
}

/** The answer of a call that lists the descriptors of an app with their contracts, oldest first. */
export type ListDescriptorsAnswer = {
  data: {
    id: string
    kind: 'contract' | 'eip712'
    owner: string
    contracts: {
      chain_id: string
      address: string
      code_hash: string
    }[]
    created_at: string
  }[]
}

export type AddDescriptorBody = {
  file: string
}
/** The answer of a call that adds a descriptor, and binds it to the present code of its contracts. `skipped` lists contracts on chains without a node. */
export type AddDescriptorAnswer = {
  id: string
  kind: 'contract' | 'eip712'
  owner: string
  contracts: {
    chain_id: string
    address: string
    code_hash: string
  }[]
  created_at: string
  skipped: {
    chain_id: string
    address: string
  }[]
}

/** The answer of a call that removes a descriptor. The confirmation page shows the calls without words from then on. */
export type RemoveDescriptorAnswer = {
  id: string
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

export type ReadStatsQuery = {
  metric?: 'logins' | 'new_users' | 'codes_sent' | 'codes_right' | 'wallets_created' | 'signatures'
  bucket?: '1h' | '1d'
  from?: string
  to?: string
}
/** The answer of a call that returns counts of an app by hour or day (UTC), oldest first. The last 7 days by day unless set. Periods without events are left out. */
export type ReadStatsAnswer = {
  from: string
  to: string
  data: {
    metric: 'logins' | 'new_users' | 'codes_sent' | 'codes_right' | 'wallets_created' | 'signatures'
    by: string
    at: string
    count: number
  }[]
}

/** The answer of a call that returns the state of the server. The key must be for every app. */
export type ReadSystemAnswer = {
  release: {
    version: string
    commit: string
  }
  started_at: string
  migrations: {
    done: number
    missing: string[]
  }
  servers: string[]
  keys: {
    purpose: 'signing' | 'sealing' | 'pepper'
    created_at: string
  }[]
  webhooks: {
    pending: number
    oldest_due_at: string | null
    paused_webhooks: number
  }
  providers: {
    variable: string
    host: string
    is_reachable: boolean
    problem: string | null
    checked_at: string
  }[]
  pages: {
    dialog: string | null
    wallet: string | null
  }
}

/** The answer of a call that returns the fees that the server paid for users of an app: by chain and day (UTC) of the last 7 days, and the rest of the daily limit. Days without operations are left out. */
export type ReadSponsoredAnswer = {
  chains: string[]
  limit: {
    usd_per_day: number
    spent_usd: string
    left_usd: string
  }
  pending: number
  from: string
  to: string
  data: {
    chain_id: string
    at: string
    usd: string
    operations: number
    failed: number
  }[]
}

/** The answer of a call that lists the operators of the dashboard that the key may see, oldest first. */
export type ListOperatorsAnswer = {
  data: {
    id: string
    email: string
    role: 'owner' | 'admin' | 'developer' | 'support' | 'auditor' | 'viewer'
    app_id: string | null
    sign_in: 'passkey' | 'oidc'
    state: 'invited' | 'active' | 'revoked'
    created_at: string
    last_sign_in_at: string | null
  }[]
}

/** The answer of a call that ends the sessions of an operator, and refuses their sign-ins from now on. */
export type RevokeOperatorAnswer = {
  id: string
}

/** The answer of a call that lists the admin keys that the key may see, without their secrets, oldest first. */
export type ListAdminKeysAnswer = {
  data: {
    id: string
    name: string
    operator: string | null
    scopes: string[]
    app_id: string | null
    networks: string[]
    created_at: string
    expires_at: string
    revoked_at: string | null
    last_used_on: string | null
  }[]
}

/** The answer of a call that refuses an admin key from now on. */
export type RevokeAdminKeyAnswer = {
  id: string
}

export type AdminErrorCode =
  | 'missing_or_invalid_key'
  | 'key_revoked'
  | 'key_expired'
  | 'address_not_allowed'
  | 'session_expired'
  | 'sign_in_failed'
  | 'oidc_not_configured'
  | 'oidc_sign_in_failed'
  | 'oidc_no_role'
  | 'operator_exists'
  | 'operator_revoked'
  | 'invitation_expired'
  | 'cross_site_request'
  | 'confirmation_required'
  | 'passkey_required'
  | 'recent_sign_in_required'
  | 'insufficient_scope'
  | 'key_of_one_app'
  | 'needs_proposal'
  | 'operator_required'
  | 'same_operator'
  | 'browser_not_allowed'
  | 'not_found'
  | 'app_not_found'
  | 'user_not_found'
  | 'session_not_found'
  | 'webhook_not_found'
  | 'hook_not_found'
  | 'delivery_not_found'
  | 'provider_not_found'
  | 'descriptor_not_found'
  | 'message_not_found'
  | 'requester_not_found'
  | 'account_not_found'
  | 'operator_not_found'
  | 'passkey_not_found'
  | 'key_not_found'
  | 'proposal_not_found'
  | 'import_not_found'
  | 'method_not_allowed'
  | 'invalid_data'
  | 'issuer_not_accepted'
  | 'descriptor_invalid'
  | 'descriptor_not_supported'
  | 'descriptor_too_large'
  | 'contract_not_found'
  | 'chain_node_failed'
  | 'url_not_allowed'
  | 'code_placeholder_missing'
  | 'unknown_placeholder'
  | 'link_not_allowed'
  | 'character_not_allowed'
  | 'message_not_sent'
  | 'sole_passkey'
  | 'too_many_passkeys'
  | 'too_many_webhooks'
  | 'descriptor_exists'
  | 'too_many_descriptors'
  | 'provider_exists'
  | 'too_many_providers'
  | 'hook_exists'
  | 'webhook_paused'
  | 'not_supported'
  | 'already_blocked'
  | 'not_blocked'
  | 'sole_account'
  | 'account_taken'
  | 'app_full'
  | 'external_id_taken'
  | 'nothing_to_approve'
  | 'too_many_proposals'
  | 'proposal_not_open'
  | 'proposal_waiting'
  | 'proposal_outdated'
  | 'too_many_imports'
  | 'import_not_open'
  | 'nothing_to_import'
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
  createUser: { method: 'POST', path: '/admin/v1/apps/{app}/users', changes: true },
  getUser: { method: 'GET', path: '/admin/v1/apps/{app}/users/{user}', changes: false },
  updateUser: { method: 'PATCH', path: '/admin/v1/apps/{app}/users/{user}', changes: true },
  deleteUser: { method: 'DELETE', path: '/admin/v1/apps/{app}/users/{user}', changes: true },
  listSessions: { method: 'GET', path: '/admin/v1/apps/{app}/users/{user}/sessions', changes: false },
  endSessions: { method: 'DELETE', path: '/admin/v1/apps/{app}/users/{user}/sessions', changes: true },
  endSession: { method: 'DELETE', path: '/admin/v1/apps/{app}/users/{user}/sessions/{session}', changes: true },
  unlinkAccount: { method: 'POST', path: '/admin/v1/apps/{app}/users/{user}/accounts/unlink', changes: true },
  resetFactors: { method: 'POST', path: '/admin/v1/apps/{app}/users/{user}/factors/reset', changes: true },
  getFactorReset: { method: 'GET', path: '/admin/v1/apps/{app}/users/{user}/factors/reset', changes: false },
  cancelFactorReset: { method: 'DELETE', path: '/admin/v1/apps/{app}/users/{user}/factors/reset', changes: true },
  exportUsers: { method: 'GET', path: '/admin/v1/apps/{app}/export', changes: false },
  listImports: { method: 'GET', path: '/admin/v1/imports', changes: false },
  createImport: { method: 'POST', path: '/admin/v1/imports', changes: true },
  uploadImportPart: { method: 'PUT', path: '/admin/v1/imports/{import}/parts/{part}', changes: false },
  startImport: { method: 'POST', path: '/admin/v1/imports/{import}/start', changes: true },
  getImport: { method: 'GET', path: '/admin/v1/imports/{import}', changes: false },
  readImportReport: { method: 'GET', path: '/admin/v1/imports/{import}/report', changes: false },
  cancelImport: { method: 'POST', path: '/admin/v1/imports/{import}/cancel', changes: true },
  listApps: { method: 'GET', path: '/admin/v1/apps', changes: false },
  createApp: { method: 'POST', path: '/admin/v1/apps', changes: true },
  getApp: { method: 'GET', path: '/admin/v1/apps/{app}', changes: false },
  updateApp: { method: 'PATCH', path: '/admin/v1/apps/{app}', changes: true },
  listAllowlist: { method: 'GET', path: '/admin/v1/apps/{app}/allowlist', changes: false },
  updateAllowlist: { method: 'PATCH', path: '/admin/v1/apps/{app}/allowlist', changes: true },
  listRequesters: { method: 'GET', path: '/admin/v1/apps/{app}/requesters', changes: false },
  removeRequester: { method: 'DELETE', path: '/admin/v1/apps/{app}/requesters/{requester}', changes: true },
  tryApproval: { method: 'POST', path: '/admin/v1/apps/{app}/approvals/try', changes: false },
  listProposals: { method: 'GET', path: '/admin/v1/apps/{app}/proposals', changes: false },
  createProposal: { method: 'POST', path: '/admin/v1/apps/{app}/proposals', changes: true },
  getProposal: { method: 'GET', path: '/admin/v1/apps/{app}/proposals/{proposal}', changes: false },
  approveProposal: { method: 'POST', path: '/admin/v1/apps/{app}/proposals/{proposal}/approve', changes: true },
  cancelProposal: { method: 'POST', path: '/admin/v1/apps/{app}/proposals/{proposal}/cancel', changes: true },
  applyProposal: { method: 'POST', path: '/admin/v1/apps/{app}/proposals/{proposal}/apply', changes: true },
  listWebhooks: { method: 'GET', path: '/admin/v1/apps/{app}/webhooks', changes: false },
  createWebhook: { method: 'POST', path: '/admin/v1/apps/{app}/webhooks', changes: true },
  getWebhook: { method: 'GET', path: '/admin/v1/apps/{app}/webhooks/{webhook}', changes: false },
  updateWebhook: { method: 'PATCH', path: '/admin/v1/apps/{app}/webhooks/{webhook}', changes: true },
  deleteWebhook: { method: 'DELETE', path: '/admin/v1/apps/{app}/webhooks/{webhook}', changes: true },
  readWebhookSecret: { method: 'GET', path: '/admin/v1/apps/{app}/webhooks/{webhook}/secret', changes: false },
  rotateWebhookSecret: { method: 'POST', path: '/admin/v1/apps/{app}/webhooks/{webhook}/secret/rotate', changes: true },
  listWebhookDeliveries: { method: 'GET', path: '/admin/v1/apps/{app}/webhooks/{webhook}/deliveries', changes: false },
  getWebhookDelivery: { method: 'GET', path: '/admin/v1/apps/{app}/webhooks/{webhook}/deliveries/{delivery}', changes: false },
  replayWebhook: { method: 'POST', path: '/admin/v1/apps/{app}/webhooks/{webhook}/replay', changes: true },
  testWebhook: { method: 'POST', path: '/admin/v1/apps/{app}/webhooks/{webhook}/test', changes: true },
  listHooks: { method: 'GET', path: '/admin/v1/apps/{app}/hooks', changes: false },
  createHook: { method: 'POST', path: '/admin/v1/apps/{app}/hooks', changes: true },
  getHook: { method: 'GET', path: '/admin/v1/apps/{app}/hooks/{hook}', changes: false },
  updateHook: { method: 'PATCH', path: '/admin/v1/apps/{app}/hooks/{hook}', changes: true },
  deleteHook: { method: 'DELETE', path: '/admin/v1/apps/{app}/hooks/{hook}', changes: true },
  readHookSecret: { method: 'GET', path: '/admin/v1/apps/{app}/hooks/{hook}/secret', changes: false },
  rotateHookSecret: { method: 'POST', path: '/admin/v1/apps/{app}/hooks/{hook}/secret/rotate', changes: true },
  listMessages: { method: 'GET', path: '/admin/v1/apps/{app}/messages', changes: false },
  getMessage: { method: 'GET', path: '/admin/v1/apps/{app}/messages/{kind}/{locale}', changes: false },
  setMessage: { method: 'PUT', path: '/admin/v1/apps/{app}/messages/{kind}/{locale}', changes: true },
  resetMessage: { method: 'DELETE', path: '/admin/v1/apps/{app}/messages/{kind}/{locale}', changes: true },
  previewMessage: { method: 'POST', path: '/admin/v1/apps/{app}/messages/{kind}/{locale}/preview', changes: false },
  testMessage: { method: 'POST', path: '/admin/v1/apps/{app}/messages/{kind}/{locale}/test', changes: false },
  listOidcProviders: { method: 'GET', path: '/admin/v1/apps/{app}/oidc', changes: false },
  createOidcProvider: { method: 'POST', path: '/admin/v1/apps/{app}/oidc', changes: true },
  getOidcProvider: { method: 'GET', path: '/admin/v1/apps/{app}/oidc/{provider}', changes: false },
  updateOidcProvider: { method: 'PATCH', path: '/admin/v1/apps/{app}/oidc/{provider}', changes: true },
  refreshOidcProvider: { method: 'POST', path: '/admin/v1/apps/{app}/oidc/{provider}/refresh', changes: true },
  listDescriptors: { method: 'GET', path: '/admin/v1/apps/{app}/descriptors', changes: false },
  addDescriptor: { method: 'POST', path: '/admin/v1/apps/{app}/descriptors', changes: true },
  removeDescriptor: { method: 'DELETE', path: '/admin/v1/apps/{app}/descriptors/{descriptor}', changes: true },
  listAudit: { method: 'GET', path: '/admin/v1/audit', changes: false },
  streamAudit: { method: 'GET', path: '/admin/v1/audit/stream', changes: false },
  readAuditHead: { method: 'GET', path: '/admin/v1/audit/head', changes: false },
  readStats: { method: 'GET', path: '/admin/v1/apps/{app}/stats', changes: false },
  readSystem: { method: 'GET', path: '/admin/v1/system', changes: false },
  readSponsored: { method: 'GET', path: '/admin/v1/apps/{app}/sponsored', changes: false },
  listOperators: { method: 'GET', path: '/admin/v1/operators', changes: false },
  revokeOperator: { method: 'DELETE', path: '/admin/v1/operators/{operator}', changes: true },
  listAdminKeys: { method: 'GET', path: '/admin/v1/keys', changes: false },
  revokeAdminKey: { method: 'DELETE', path: '/admin/v1/keys/{key}', changes: true },
} as const
