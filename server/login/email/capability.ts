import { type Capability, needsNoVariables } from '../../kernel/capability.ts'
import { emailEndpoints } from './routes.ts'

export const email: Capability = {
  name: 'email',
  endpoints: emailEndpoints,
  logins: [{ method: 'email', missing: needsNoVariables }],
  settings: ['emailAuth', 'testAccounts'],
}
