import type { Capability } from '../../capability.ts'
import { totpEndpoints } from './routes.ts'

export const mfaTotp: Capability = {
  name: 'mfa/totp',
  endpoints: totpEndpoints,
  settings: ['mfaMethods.totp'],
}
