import type { Capability } from '../../capability.ts'
import { emailEndpoints } from './routes.ts'

export const email: Capability = {
  name: 'email',
  endpoints: emailEndpoints,
  settings: ['emailAuth'],
}
