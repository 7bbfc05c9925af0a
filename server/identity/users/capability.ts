import { userRoutes } from '@latchkey/protocol/api'
import type { Capability } from '../../kernel/capability.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { userMigrations } from './migrations.ts'
import { acceptTerms, requireUser } from './users.ts'

const userEndpoints: readonly Endpoint[] = [
  endpoint(userRoutes.me, ({ caller }, { db }) => requireUser(db, caller.appId, caller.userId)),
  endpoint(userRoutes.acceptTerms, ({ caller }, context) => acceptTerms(context, caller)),
]

export const users: Capability = {
  name: 'users',
  migrations: userMigrations,
  endpoints: userEndpoints,
  settings: ['allowlistEnabled', 'allowlistConfig', 'requireUsersAcceptTerms', 'tokenMetadataKeys'],
  // A later login with one of these accounts creates a new user.
  userRows: [
    { table: 'linked_accounts', goes: 'with the account', by: ['app_id', 'user_id'] },
    { table: 'user_metadata', goes: 'with the account', by: ['user_id'] },
    { table: 'expected_accounts', goes: 'with the account', by: ['user_id'] },
    { table: 'external_ids', goes: 'with the account', by: ['user_id'] },
  ],
}
