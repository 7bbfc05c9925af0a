import { type Capability, port } from '../../../kernel/capability.ts'
import { smsFactor } from '../../../login/sms/sms.ts'
import { requireNoSmsMethod } from '../verification.ts'
import { mfaSmsEndpoints } from './routes.ts'

export const mfaSms: Capability = {
  name: 'mfa/sms',
  endpoints: mfaSmsEndpoints,
  settings: ['mfaMethods.sms'],
  // The number of the second factor also receives codes.
  async identifiers(trx, userId) {
    const numbers = await trx
      .selectFrom('mfa_methods')
      .select('phone_number')
      .where('user_id', '=', userId)
      .execute()
    return numbers.flatMap(({ phone_number: number }) => (number === null ? [] : [number]))
  },
  ports: [port(smsFactor, () => ({ value: { requireNone: requireNoSmsMethod } }))],
}
