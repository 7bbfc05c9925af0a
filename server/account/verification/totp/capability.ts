import { type Capability, port } from '../../../kernel/capability.ts'
import { appCodes } from '../../../wallet/confirm/confirm.ts'
import { totpCodes } from './check-code.ts'
import { totpEndpoints } from './routes.ts'

export const mfaTotp: Capability = {
  name: 'mfa/totp',
  endpoints: totpEndpoints,
  settings: ['mfaMethods.totp'],
  ports: [port(appCodes, () => ({ value: totpCodes }))],
}
