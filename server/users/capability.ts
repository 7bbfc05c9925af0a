import type { Capability } from '../capability.ts'
import { userEndpoints } from './routes.ts'

export const users: Capability = {
  name: 'users',
  endpoints: userEndpoints,
  settings: ['allowlistEnabled', 'allowlistConfig', 'requireUsersAcceptTerms'],
}
