import type { Capability } from '../../kernel/capability.ts'
import { mfaResetCommand } from './command.ts'

/** What all methods have; each has a folder and a capability of its own. */
export const mfa: Capability = {
  name: 'mfa',
  appCommands: [mfaResetCommand],
  async forget(trx, { userId }) {
    await trx.deleteFrom('mfa_methods').where('user_id', '=', userId).execute()
  },
  expiries: [{ table: 'mfa_methods', key: ['id'], column: 'expires_at', keptSeconds: 0 }],
}
