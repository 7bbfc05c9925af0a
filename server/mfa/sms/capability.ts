import type { Capability } from '../../capability.ts'
import { mfaSmsEndpoints } from './routes.ts'

export const mfaSms: Capability = {
  name: 'mfa/sms',
  endpoints: mfaSmsEndpoints,
  settings: ['mfaMethods.sms'],
}
