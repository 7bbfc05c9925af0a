import type { Capability } from '../../capability.ts'
import { missingForSms } from '../../sms/sms.ts'
import { smsEndpoints } from './routes.ts'

export const smsLogin: Capability = {
  name: 'login/sms',
  endpoints: smsEndpoints,
  logins: [{ method: 'sms', missing: missingForSms }],
  settings: ['smsAuth'],
}
