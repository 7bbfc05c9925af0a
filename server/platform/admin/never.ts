/**
 * The effects that no call of the Admin API has. A stolen key can read, end sessions, block and delete. It adds no
 * authority, opens no wallet and cannot log in as a user. `never.test.ts` makes every call against each row, and
 * `imports/imports.test.ts` does so for the import that a call starts.
 */
import { harmlessSettings } from '../../identity/apps/apps.ts'

export type ForbiddenEffect = {
  /** Completes "No call …", without a full stop. */
  effect: string
  /** The tables that show the effect. A call may remove their rows, but adds and changes none. */
  tables: Readonly<Record<string, TableRule>>
}
type TableRule = {
  /** Columns that calls may change. Settings in the `config` column count as `config.<name>`. */
  changeable?: string[]
  removable?: 'only with the user'
  /** The only calls that add rows. */
  addedBy?: string[]
  /** The only calls that change rows. */
  changedBy?: string[]
}

export const forbiddenEffects: ForbiddenEffect[] = [
  {
    effect: 'adds an account to a user, or sets or confirms an address',
    tables: { linked_accounts: {}, passkeys: {}, held_addresses: {} },
  },
  {
    effect: 'lets a further account log in as a user who exists',
    // An added row belongs to the added user, without any account yet.
    tables: { expected_accounts: { addedBy: ['createUser'] } },
  },
  {
    effect: 'logs in as a user: it starts no session and issues no token',
    tables: {
      sessions: { changeable: ['revoked_at'] },
      session_codes: {},
      openid_records: {},
      openid_authorizations: {},
    },
  },
  {
    effect: 'creates, releases, splits or changes a share',
    tables: { wallets: {}, wallet_reshares: {}, recovery_passkeys: {} },
  },
  {
    effect: 'approves a request, or widens the rules for approvals without a second operator and 24 hours',
    tables: {
      apps: {
        // An added app has no users.
        addedBy: ['createApp'],
        // Two operators have agreed, and the waiting time is over.
        changedBy: ['applyProposal'],
        changeable: ['updated_at', ...harmlessSettings.flatMap((name) => [name, `config.${name}`])],
      },
      confirmations: {},
      wallet_spending: {},
      connected_apps: {},
      cross_app_requesters: { addedBy: ['applyProposal'], changedBy: ['applyProposal'] },
      app_proposals: {
        addedBy: ['createProposal'],
        changedBy: ['approveProposal', 'cancelProposal', 'applyProposal'],
      },
      cross_app_requests: {},
      cross_app_spending: {},
    },
  },
  {
    effect: 'adds or confirms a verification method',
    tables: { mfa_methods: {}, mfa_verifications: {} },
  },
  {
    effect: 'leads the login method of an OpenID provider to another issuer',
    tables: {
      oidc_providers: {
        addedBy: ['createOidcProvider'],
        changeable: ['name', 'client_secret', 'metadata', 'disabled_at'],
        removable: 'only with the user',
      },
    },
  },
  {
    effect: 'creates a code that a user could be asked for',
    tables: { codes: {}, challenges: {} },
  },
  {
    effect: 'takes away the time in which a user can revert a change',
    tables: { take_backs: { removable: 'only with the user' } },
  },
  {
    effect: 'creates an admin key, or extends one',
    tables: {
      admin_keys: { changeable: ['last_used_day', 'revoked_at'], removable: 'only with the user' },
    },
  },
  {
    effect:
      'invites an operator, changes a role or the OpenID provider of operators, or adds a passkey or session of an operator',
    tables: {
      operators: { changeable: ['revoked_at'], removable: 'only with the user' },
      operator_invitations: {},
      operator_passkeys: {},
      operator_sessions: {},
      operator_oidc: {},
    },
  },
]

/** Columns with secrets, hashes and shares. No answer contains one of their values. */
export const secretColumns: Readonly<Record<string, string[]>> = {
  wallets: ['auth_share', 'recovery_share'],
  sessions: ['token_key', 'key_thumbprint', 'device'],
  session_codes: ['code_hash'],
  codes: ['code_hash'],
  mfa_methods: ['secret'],
  admin_keys: ['secret_hash'],
  operator_invitations: ['secret_hash'],
  operator_passkeys: ['credential_id', 'public_key'],
  operator_sessions: ['token_hash'],
  operator_oidc: ['client_secret'],
  server_keys: ['wrapped'],
  webhook_secrets: ['wrapped'],
  oidc_providers: ['client_secret'],
}
