import type { Capability } from '../../kernel/capability.ts'
import { userEndpoints } from './routes.ts'
import { removeAccounts } from './store.ts'

export const users: Capability = {
  name: 'users',
  endpoints: userEndpoints,
  settings: ['allowlistEnabled', 'allowlistConfig', 'requireUsersAcceptTerms'],
  /** A later login with one of these accounts creates a new user. */
  forget: (trx, { appId, userId }) => removeAccounts(trx, appId, userId),
}
