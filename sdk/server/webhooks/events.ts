// Written by `npm run reference` from the events of protocol/admin. Do not edit.

/** The payload of each event, by type. */
export type WebhookPayloads = {
  /** Sent when a user signs up. */
  'user.created': {
    app_id: string
    user_id: string
    sequence: number
    account_type: string
  }
  /** Sent when a user logs in, also for the first time. */
  'user.authenticated': {
    app_id: string
    user_id: string
    sequence: number
    session_id: string
    method: string
  }
  /** Sent when a user links an account. */
  'user.linked_account': {
    app_id: string
    user_id: string
    sequence: number
    account_type: string
  }
  /** Sent when an account of a user is unlinked. */
  'user.unlinked_account': {
    app_id: string
    user_id: string
    sequence: number
    account_type: string
  }
  /** Sent when a user replaces an account, such as their e-mail address. */
  'user.updated_account': {
    app_id: string
    user_id: string
    sequence: number
    account_type: string
  }
  /** Sent when a user undoes a change of accounts or verification methods by the link in a notice. Read the user again. */
  'user.reverted_change': {
    app_id: string
    user_id: string
    sequence: number
    kind: 'account' | 'factor'
  }
  /** Sent when a user is deleted. */
  'user.deleted': {
    app_id: string
    user_id: string
    sequence: number
    by: 'user' | 'operator'
  }
  /** Sent when an operator blocks a user. */
  'user.blocked': {
    app_id: string
    user_id: string
    sequence: number
  }
  /** Sent when an operator removes the block of a user. */
  'user.unblocked': {
    app_id: string
    user_id: string
    sequence: number
  }
  /** Sent when a wallet is created. */
  'user.wallet_created': {
    app_id: string
    user_id: string
    sequence: number
    wallet_id: string
    chain_type: string
  }
  /** Sent when a wallet is imported. */
  'wallet.imported': {
    app_id: string
    user_id: string
    sequence: number
    wallet_id: string
    chain_type: string
  }
  /** Sent when a user exports the key of a wallet. */
  'wallet.exported': {
    app_id: string
    user_id: string
    sequence: number
    wallet_id: string
  }
  /** Sent when a new device recovers a wallet. */
  'wallet.recovered': {
    app_id: string
    user_id: string
    sequence: number
    wallet_id: string
  }
  /** Sent when the recovery method of a wallet is set. */
  'wallet.recovery_changed': {
    app_id: string
    user_id: string
    sequence: number
    wallet_id: string
    method: string
  }
  /** Sent when a user adds a verification method. */
  'mfa.enabled': {
    app_id: string
    user_id: string
    sequence: number
    methods: ('totp' | 'sms' | 'passkey')[]
  }
  /** Sent when verification methods of a user are removed. */
  'mfa.disabled': {
    app_id: string
    user_id: string
    sequence: number
    methods: ('totp' | 'sms' | 'passkey')[]
  }
  /** Sent when a session ends before its time. `session_id` is null if all sessions of the user ended. Blocking a user ends their sessions without this event. */
  'session.revoked': {
    app_id: string
    user_id: string
    sequence: number
    session_id: string | null
    reason: 'logout' | 'user' | 'all_sessions' | 'operator' | 'token_reuse' | 'superseded'
  }
  /** Sent when a user allows another app to use their wallet. */
  'cross_app.granted': {
    app_id: string
    user_id: string
    sequence: number
    client_id: string
  }
  /** Sent when a connection with another app ends. */
  'cross_app.revoked': {
    app_id: string
    user_id: string
    sequence: number
    client_id: string
  }
  /** Sent when an operator proposes settings or a requester that need a second operator. */
  'approvals.proposed': {
    app_id: string
    proposal_id: string
    settings: string[]
    operator: string
  }
  /** Sent when such a proposal is approved, cancelled or applied. */
  'approvals.changed': {
    app_id: string
    proposal_id: string
    settings: string[]
    state: 'approved' | 'cancelled' | 'applied'
    operator: string
  }
  /** Sent when an import of users is finished. Users of an import have no event of their own before their first login. */
  'import.finished': {
    app_id: string
    import_id: string
    dry_run: boolean
    created: number
    merged: number
    conflicts: number
    skipped: number
  }
  /** Sent when the server pauses another webhook of the app. */
  'webhook.paused': {
    app_id: string
    webhook_id: string
    reason: 'operator' | 'gone' | 'failing'
  }
  /** Sent when an operator asks for it. */
  'webhook.test': {
    app_id: string
    webhook_id: string
  }
}
