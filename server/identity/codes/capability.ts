import type { Capability } from '../../kernel/capability.ts'
import { codeLimits } from './limits.ts'

export const codes: Capability = {
  name: 'codes',
  async forget(trx, { appId, identifiers }) {
    if (identifiers.length === 0) return
    await trx.deleteFrom('codes').where('app_id', '=', appId).where('identifier', 'in', identifiers).execute()
    await trx
      .deleteFrom('known_browsers')
      .where('app_id', '=', appId)
      .where('identifier', 'in', identifiers)
      .execute()
  },
  restored: { drops: ['codes'] },
  expiryRules: [
    {
      table: 'codes',
      key: ['app_id', 'purpose', 'identifier', 'binding'],
      column: 'expires_at',
      retentionSeconds: 0,
    },
    {
      table: 'known_browsers',
      key: ['app_id', 'identifier', 'binding'],
      column: 'last_seen_at',
      retentionSeconds: codeLimits.knownBrowserSeconds,
    },
  ],
}
