import { type Capability, port } from '../../../kernel/capability.ts'
import { smsFactor } from '../../../login/sms/sms.ts'
import { requireNoSmsMethod } from '../verification.ts'
import { mfaSmsEndpoints } from './routes.ts'

export const mfaSms: Capability = {
  name: 'mfa/sms',
  endpoints: mfaSmsEndpoints,
  settings: ['mfaMethods.sms'],
  ports: [port(smsFactor, () => ({ value: { requireNone: requireNoSmsMethod } }))],
}
