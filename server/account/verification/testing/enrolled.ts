/** Inserts a second factor into the database. */
import type { Row } from '../../../kernel/db/schema.ts'

type Named = Pick<Row<'mfa_methods'>, 'id' | 'app_id' | 'user_id' | 'method'>

export const enrolledMethod = (named: Named, secret: string | null = null): Row<'mfa_methods'> => ({
  ...named,
  secret,
  status: 'enrolled',
  last_step: 0,
  phone_number: null,
  session_id: null,
  is_verified: 0,
  begun_at: 1,
  enrolled_at: 1,
  changed_at: null,
  expires_at: null,
})
