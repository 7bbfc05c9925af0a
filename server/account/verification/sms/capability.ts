import type { Capability } from '../../../kernel/capability.ts'
import { mfaSmsEndpoints } from './routes.ts'

export const mfaSms: Capability = {
  name: 'mfa/sms',
  endpoints: mfaSmsEndpoints,
  settings: ['mfaMethods.sms'],
}
