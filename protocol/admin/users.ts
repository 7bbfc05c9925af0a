import * as v from 'valibot'
import { linkedAccountSchema } from '../entities/linked-account.ts'
import { mfaMethodTypes } from '../entities/mfa-methods.ts'
import { id, text } from '../entities/primitives.ts'
import { inputTime, limitInQuery, time } from './fields.ts'
import { adminLimits } from './limits.ts'
import type { AdminRoutes } from './route.ts'

const { mostSearchResults, shortestPrefix, longestPrefix, maxReasonLength } = adminLimits

const limit = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most))
const block = v.object({ at: time, reason: v.nullable(text) })

const account = v.object({
  type: text,
  identifier: text,
  /** The name at the provider. */
  name: v.nullable(text),
  /** The address that a provider verified. */
  email: v.nullable(text),
  firstVerifiedAt: time,
  latestVerifiedAt: time,
})

const listedUser = v.object({
  id,
  appId: text,
  createdAt: time,
  blocked: v.nullable(block),
  accounts: v.array(account),
  /** Accounts of a user without a login. The first of them to log in takes over the user. */
  expectedAccounts: v.array(v.object({ type: text, identifier: text })),
})
export type AdminListedUser = v.InferOutput<typeof listedUser>

const metadataPart = v.pipe(
  v.record(v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)), v.unknown()),
  v.check((part) => new TextEncoder().encode(JSON.stringify(part)).length <= adminLimits.maxMetadataBytes),
)
const metadataChange = v.object({
  public: v.exactOptional(metadataPart),
  private: v.exactOptional(metadataPart),
})
export type AdminMetadata = Record<'public' | 'private', Record<string, unknown>>

const externalId = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(adminLimits.maxExternalIdLength),
  v.regex(/^\P{C}+$/u),
)

export const adminUser = v.object({
  ...listedUser.entries,
  externalId: v.nullable(text),
  metadata: v.object({
    public: v.record(v.string(), v.unknown()),
    private: v.record(v.string(), v.unknown()),
  }),
  hasAcceptedTerms: v.boolean(),
  wallets: v.array(
    v.object({
      address: text,
      chainType: text,
      recoveryMethod: text,
      imported: v.boolean(),
      createdAt: time,
    }),
  ),
  factors: v.array(v.object({ type: v.picklist(mfaMethodTypes), enrolledAt: time })),
})
export type AdminUser = v.InferOutput<typeof adminUser>

const session = v.object({
  id,
  kind: v.picklist(['login', 'fork']),
  /** The login session of a fork. */
  parentId: v.nullable(id),
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
})

/** Passkeys also open wallets and verify, so only their user removes them. */
const unlinkableTypes = linkedAccountSchema.options
  .map(({ entries }) => entries.type.literal)
  .filter((type) => type !== 'passkey')

const factorReset = v.nullable(v.object({ operator: text, at: time, expiresAt: time }))
export type AdminFactorReset = NonNullable<v.InferOutput<typeof factorReset>>

export const searchKinds = ['email', 'external_id'] as const

const read = { scopes: ['users:read', 'users:read.masked'], effect: 'reads', status: 200 } as const
const change = { scopes: ['users:write', 'users:support'], effect: 'changes', status: 200 } as const

export const adminUserRoutes = {
  listUsers: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/users',
    summary:
      'lists users, newest first, or looks up users by one of `email`, `phone`, `wallet`, `account` and `external_id`',
    query: v.object({
      after: v.exactOptional(text),
      limit: v.exactOptional(limitInQuery),
      createdAfter: v.exactOptional(inputTime),
      createdBefore: v.exactOptional(inputTime),
      blocked: v.exactOptional(v.picklist(['true', 'false'])),
      email: v.exactOptional(text),
      phone: v.exactOptional(text),
      wallet: v.exactOptional(text),
      /** `<type>:<identifier>`, such as `google_oauth:110169484474386276334`. */
      account: v.exactOptional(text),
      externalId: v.exactOptional(text),
    }),
    output: v.object({ data: v.array(listedUser), next: v.nullable(text) }),
    errors: ['app_not_found'],
  },
  searchUsers: {
    ...read,
    // With a masked answer, a caller could find an address letter by letter.
    scopes: ['users:read'],
    method: 'POST',
    path: '/apps/{app}/users/search',
    summary: 'finds users by the start of an e-mail address or external id',
    body: v.object({
      prefix: v.pipe(v.string(), v.minLength(shortestPrefix), v.maxLength(longestPrefix)),
      kinds: v.exactOptional(v.pipe(v.array(v.picklist(searchKinds)), v.minLength(1), v.maxLength(2))),
      limit: v.exactOptional(limit(mostSearchResults)),
    }),
    output: v.object({ data: v.array(listedUser) }),
    errors: ['app_not_found', 'payload_too_large', 'unsupported_media_type'],
  },
  createUser: {
    ...change,
    method: 'POST',
    path: '/apps/{app}/users',
    status: 201,
    summary:
      'creates a user before their first login. The first login with one of the accounts, proven as always, takes over the user',
    body: v.object({
      accounts: v.pipe(
        v.array(v.object({ type: v.picklist(unlinkableTypes), identifier: text })),
        v.minLength(1),
        v.maxLength(adminLimits.mostExpectedAccounts),
      ),
      externalId: v.exactOptional(externalId),
      metadata: v.exactOptional(metadataChange),
    }),
    output: v.object({ id }),
    errors: [
      'app_not_found',
      'account_taken',
      'external_id_taken',
      'app_full',
      'idempotency_key_reused',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
  getUser: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/users/{user}',
    etag: true,
    summary: 'returns a user with accounts, wallets and verification methods',
    output: adminUser,
    errors: ['app_not_found', 'user_not_found'],
  },
  updateUser: {
    ...change,
    method: 'PATCH',
    path: '/apps/{app}/users/{user}',
    etag: true,
    summary:
      'blocks a user and ends their sessions, removes the block (`"blocked": null`), or sets metadata and the external id',
    body: v.object({
      blocked: v.exactOptional(
        v.nullable(
          v.object({
            /** A note for operators. Users do not see it. */
            reason: v.exactOptional(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(maxReasonLength))),
          }),
        ),
      ),
      /** Each part that is set replaces the stored one. */
      metadata: v.exactOptional(metadataChange),
      externalId: v.exactOptional(v.nullable(externalId)),
    }),
    output: v.object({ id, blocked: v.boolean(), sessionsEnded: v.number() }),
    errors: [
      'app_not_found',
      'user_not_found',
      'already_blocked',
      'not_blocked',
      'external_id_taken',
      'precondition_failed',
      'idempotency_key_reused',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
  deleteUser: {
    ...change,
    needsConfirmation: true,
    scopes: ['users:delete'],
    method: 'DELETE',
    path: '/apps/{app}/users/{user}',
    status: 202,
    summary: 'deletes a user and their wallets. The shares are destroyed before the answer',
    output: v.object({ id }),
    errors: ['app_not_found', 'user_not_found', 'precondition_failed', 'idempotency_key_reused'],
  },
  listSessions: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/users/{user}/sessions',
    summary: 'lists the living sessions of a user, newest first',
    output: v.object({ data: v.array(session) }),
    errors: ['app_not_found', 'user_not_found'],
  },
  endSessions: {
    ...change,
    method: 'DELETE',
    path: '/apps/{app}/users/{user}/sessions',
    summary: 'ends all sessions of a user',
    output: v.object({ sessionsEnded: v.number() }),
    errors: ['app_not_found', 'user_not_found', 'idempotency_key_reused'],
  },
  endSession: {
    ...change,
    method: 'DELETE',
    path: '/apps/{app}/users/{user}/sessions/{session}',
    summary: 'ends one session with its forks',
    output: v.object({ sessionsEnded: v.number() }),
    errors: ['app_not_found', 'user_not_found', 'session_not_found', 'idempotency_key_reused'],
  },
  unlinkAccount: {
    ...change,
    needsConfirmation: true,
    method: 'POST',
    path: '/apps/{app}/users/{user}/accounts/unlink',
    summary: 'unlinks an account from a user, but never their last one',
    body: v.object({ type: v.picklist(unlinkableTypes), identifier: text }),
    output: v.object({ id }),
    errors: [
      'app_not_found',
      'user_not_found',
      'account_not_found',
      'sole_account',
      'precondition_failed',
      'idempotency_key_reused',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
  resetFactors: {
    ...change,
    needsConfirmation: true,
    method: 'POST',
    path: '/apps/{app}/users/{user}/factors/reset',
    summary:
      'removes all verification methods of a user after their loss, and ends the sessions. With `users:support`, the first call asks for it, and the call of another operator within 24 hours removes them',
    output: v.object({
      removed: v.array(v.picklist(mfaMethodTypes)),
      sessionsEnded: v.number(),
      /** The request that waits for another operator, or null. */
      request: factorReset,
    }),
    errors: ['app_not_found', 'user_not_found', 'operator_required', 'idempotency_key_reused'],
  },
  getFactorReset: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/users/{user}/factors/reset',
    summary:
      'returns the request to remove the verification methods of a user that waits for another operator',
    output: v.object({ request: factorReset }),
    errors: ['app_not_found', 'user_not_found'],
  },
  cancelFactorReset: {
    ...change,
    method: 'DELETE',
    path: '/apps/{app}/users/{user}/factors/reset',
    summary: 'cancels such a request',
    output: v.object({ request: factorReset }),
    errors: ['app_not_found', 'user_not_found', 'idempotency_key_reused'],
  },
} as const satisfies AdminRoutes
