import type { Capability } from '../../../kernel/capability.ts'
import { mfaPasskeyEndpoints } from './routes.ts'

export const mfaPasskey: Capability = {
  name: 'mfa/passkey',
  endpoints: mfaPasskeyEndpoints,
  settings: ['mfaMethods.passkey'],
}
