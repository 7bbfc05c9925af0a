import { missingForSms } from '../../integrations/sms/sms.ts'
import type { Capability } from '../../kernel/capability.ts'
import { smsEndpoints } from './routes.ts'

export const smsLogin: Capability = {
  name: 'login/sms',
  endpoints: smsEndpoints,
  logins: [{ method: 'sms', missing: missingForSms }],
  settings: ['smsAuth'],
}
