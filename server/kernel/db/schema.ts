/**
 * The tables, as both engines have them: text keys, epoch integers, JSON as text that SQL never looks into,
 * booleans as 0 and 1, bytes as base64url text. Migrations in `migrations/` make them.
 */
import type { ChainType, MfaMethodType, RecoveryMethod } from '@latchkey/protocol'
import type { ShareKind } from '@latchkey/protocol/wallet'
import type { Selectable } from 'kysely'

/** All times are epoch seconds, but for names that say otherwise. */
type AppTable = {
  id: string
  name: string
  secret_hash: string
  /** `AppConfig` but for its id, name and times; parsed when read. */
  config: string
  /** JSON array of exact origins, and of one-label wildcards for a development app. */
  allowed_origins: string
  environment: 'development' | 'production'
  session_mode: 'storage' | 'cookie'
  max_users: number | null
  deleted_users_kept_days: number
  created_at: number
  updated_at: number
}

/** Who may log in where an app has its allowlist on. */
type AllowlistTable = { app_id: string; type: string; identifier: string }

type UserTable = {
  id: string
  app_id: string
  created_at: number
  accepted_terms_at: number | null
  /** Where this is set, the row is all that is left of the user. */
  deleted_at: number | null
  /** When this row goes too. */
  kept_until: number | null
}

type LinkedAccountTable = {
  id: string
  app_id: string
  user_id: string
  type: string
  /** Normalized: unique by (app_id, type, identifier). */
  identifier: string
  /** What the account says beyond its identifier: the JSON of its entity. */
  profile: string
  verified_at: number
  first_verified_at: number
  latest_verified_at: number
}

type SessionTable = {
  id: string
  app_id: string
  user_id: string
  /** `forks` of each row of `protocol/api` says whether a fork may call it. */
  kind: 'login' | 'fork'
  /** The session that this one dies with; its own id where it has no parent. */
  family_id: string
  /** 32 random bytes wrapped; refresh tokens are HMACs of (session, counter) under it. */
  token_key: string
  /** The newest refresh token that was given out. */
  counter: number
  /** When `counter` became what it is, in milliseconds: its parent was first used then. */
  rotated_at_ms: number
  /** Null for a fork that waits for its one-use token. */
  started_at: number | null
  /**
   * The thumbprint of the browser's key, which every refresh and every call must prove. Null until the session started.
   */
  key_thumbprint: string | null
  /** The thumbprint of the vault's key: no other vault is given anything. Null where none came in time. */
  device: string | null
  /** The linked account that it was logged in with. Null for a fork, and for a session from before this was kept. */
  account_id: string | null
  /** When that account came to its user. */
  account_linked_at: number | null
  created_at: number
  last_used_at: number
  expires_at: number
  revoked_at: number | null
}

type SessionCodeTable = {
  code_hash: string
  app_id: string
  session_id: string
  expires_at: number
  /** The one session that was started with the code. */
  started_session_id: string | null
}

/** One outstanding code a purpose, identifier and browser. */
type CodeTable = {
  app_id: string
  /** What it opens: a code for one thing is nothing to another. */
  purpose: string
  /** Where it was sent. */
  identifier: string
  /** Hash of the login-binding header; empty for a client that sends none. */
  binding: string
  code_hash: string
  expires_at: number
  sent_at: number
}

/** Browsers that had a session of this identifier: they have a budget of their own. */
type KnownBrowserTable = { app_id: string; identifier: string; binding: string; last_seen_at: number }

/** Counters of attempts: one row a key and window, decided in the statement that counts. */
type AttemptTable = { key: string; window_start: number; count: number; expires_at: number }

type WalletTable = {
  id: string
  app_id: string
  user_id: string
  kind: ShareKind
  chain_type: ChainType
  status: 'pending' | 'committed'
  generation: number
  /** The address in the one spelling that its chain has for it. */
  address: string | null
  recovery_method: RecoveryMethod
  /** Wrapped under its own key-encryption key. */
  auth_share: string | null
  /** Wrapped under another. */
  recovery_share: string | null
  /** Hash of what shows that somebody knows the password of the recovery, or JSON of the passkey that is to sign; else null. */
  recovery_access: string | null
  /** The greatest that was ever given to an attempt to make one. */
  last_generation: number
  created_at: number
  committed_at: number | null
}

/** One row a user and method: from `pending` to `enrolled`, once. */
type MfaMethodTable = {
  id: string
  app_id: string
  user_id: string
  method: MfaMethodType
  status: 'pending' | 'enrolled'
  /** The secret of an authenticator app, wrapped under its own key-encryption key. */
  secret: string | null
  /** The latest step of time whose code was taken; that one and all before it verify no more. */
  last_step: number
  phone_number: string | null
  /** Whose enrolment it is; null once it is enrolled. */
  session_id: string | null
  /** Whether a verification began the enrolment. */
  is_verified: 0 | 1
  begun_at: number
  enrolled_at: number | null
  /** When what it verifies by last became something else: the list of passkeys. */
  changed_at: number | null
  /** When an enrolment that was not completed expires. */
  expires_at: number | null
}

/** A generation of shares that is being made, beside the one that the wallet has. */
type WalletReshareTable = {
  id: string
  wallet_id: string
  /** No two attempts for a wallet have the same number. */
  generation: number
  /** The generation that it is made from, and takes the place of. */
  base_generation: number
  /** The operation of the vault that makes the attempt. */
  operation_id: string
  recovery_method: RecoveryMethod | null
  auth_share: string | null
  recovery_share: string | null
  recovery_access: string | null
  expires_at: number
}

/** Keys of the server itself, each wrapped by the key management: signing, sealing, peppers. */
type ServerKeyTable = {
  id: string
  purpose: 'signing' | 'sealing' | 'pepper'
  public_key: string | null
  wrapped: string
  created_at: number
  /** The key is used for nothing new from then on. */
  retired_at: number | null
  /** The key is not used at all from then on. */
  expires_at: number | null
}

/** One row: which master key this database belongs to. */
type InstanceTable = {
  id: string
  /** What new secrets are wrapped under. */
  master_key_fingerprint: string
  /** A key in the files of the machines is used for nothing until its rotation is committed. */
  prepared_master_key: string | null
  /** When the one in use took over from the one before, until that one is dropped. */
  master_key_since: number | null
  /** The same three of the master key of recovery shares; null where they lie under the one above. */
  recovery_key_fingerprint: string | null
  prepared_recovery_key: string | null
  recovery_key_since: number | null
  created_at: number
}

/** One row a server, which it renews while it runs. */
type RunningServerTable = {
  id: string
  /** The machine and the process, as operators read them. */
  name: string
  /** The ids of those in its files, and of the peppers that it knows, with a space between. */
  master_keys: string
  expires_at: number
}

/** What is under way under a request id, and what it led to: `kernel/http/replay/replay.ts`. */
type RequestReplayTable = {
  app_id: string
  request_id: string
  /** Hash of method, path, body and caller: the same id with another request is refused. */
  request_hash: string
  state: 'asking' | 'performing' | 'done' | 'unknown'
  /** JSON of what was reserved, then of the outcome: no secret, only what is needed to go on and to answer again. */
  kept: string | null
  /** Who works on it; empty when nobody does. */
  lease_id: string
  lease_until_ms: number
  expires_at: number
}

type AnalyticsEventTable = {
  id: string
  app_id: string
  event_name: string
  client_id: string | null
  user_id: string | null
  payload: string
  created_at: number
  /** Bytes of all events of the app up to this one: it says how much came after. */
  position: number
}

/** Bytes of all events of an app that were ever kept. */
type AnalyticsVolumeTable = { app_id: string; bytes: number }

/** Users of an app that has a limit: `identity/apps/places.ts`. */
type UserCountTable = { app_id: string; users: number }

type AuditTable = {
  id: string
  app_id: string | null
  user_id: string | null
  session_id: string | null
  event: string
  details: string
  created_at: number
}

export type Database = {
  apps: AppTable
  allowlist: AllowlistTable
  users: UserTable
  linked_accounts: LinkedAccountTable
  sessions: SessionTable
  session_codes: SessionCodeTable
  codes: CodeTable
  known_browsers: KnownBrowserTable
  attempts: AttemptTable
  wallets: WalletTable
  mfa_methods: MfaMethodTable
  wallet_reshares: WalletReshareTable
  server_keys: ServerKeyTable
  instance: InstanceTable
  running_servers: RunningServerTable
  request_replays: RequestReplayTable
  analytics_events: AnalyticsEventTable
  analytics_volumes: AnalyticsVolumeTable
  user_counts: UserCountTable
  audit_log: AuditTable
}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>
