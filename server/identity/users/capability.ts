import type { Capability } from '../../kernel/capability.ts'
import { userEndpoints } from './routes.ts'
import { removeAccounts } from './store.ts'

export const users: Capability = {
  name: 'users',
  endpoints: userEndpoints,
  settings: ['allowlistEnabled', 'allowlistConfig', 'requireUsersAcceptTerms'],
  /** From here on whoever logs in with one of them is somebody else. */
  forget: (trx, { appId, userId }) => removeAccounts(trx, appId, userId),
}
