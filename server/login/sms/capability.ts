import type { Capability } from '../../capability.ts'
import { smsEndpoints } from './routes.ts'

export const smsLogin: Capability = {
  name: 'login/sms',
  endpoints: smsEndpoints,
  settings: ['smsAuth'],
}
