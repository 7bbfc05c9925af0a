import type { Capability } from '../../kernel/capability.ts'
import { page } from '../../kernel/http/pages/page.ts'
import { keyLimits } from '../../kernel/limits.ts'
import { handoverEndpoints } from './handover/handover-routes.ts'
import { sessionBrowserLimits, sessionMigrations } from './own-sessions.ts'
import { sessionEndpoints } from './routes.ts'
import { removeSessionCodes, revoke, revokeEverySession } from './store.ts'

/** The JSON Web Key Set with which host backends verify tokens. */
const jwks = page({
  // A backend may reach this server under a private hostname.
  site: 'any',
  method: 'GET',
  path: '/.well-known/jwks.json',
  openedBy: 'anybody',
  headers: {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': `public, max-age=${keyLimits.jwksMaxAgeSeconds}`,
  },
  answer: async (_call, { keyring }) => ({ type: 'json', value: await keyring.publicJwks() }),
})

/** How long ended sessions are kept, for incident analysis. */
const endedSessionLimits = { keptSeconds: 7 * 86_400 } as const

const { keptSeconds: endedSessionSeconds } = endedSessionLimits

export const sessions: Capability = {
  name: 'sessions',
  endpoints: [...sessionEndpoints, ...handoverEndpoints],
  pages: [jwks],
  // `refresh-token.ts` writes the key version in front of the pepper's id.
  peppered: [{ table: 'sessions', column: 'token_key', start: '1.' }],
  migrations: sessionMigrations,
  userRows: [
    { table: 'sessions', goes: 'by age' },
    { table: 'session_browsers', goes: 'with the account', by: ['user_id'] },
  ],
  async forget(trx, { appId, userId, nowSeconds }) {
    await revoke(trx, { type: 'user', appId, userId }, nowSeconds)
    await removeSessionCodes(trx, appId, userId)
  },
  restored: {
    drops: ['session_codes'],
    // Sessions that were ended after the backup would be valid again, possibly for an attacker.
    async amend(writer, { nowSeconds, keepsSessions }) {
      if (!keepsSessions) await revokeEverySession(writer, nowSeconds)
    },
  },
  expiryRules: [
    {
      table: 'session_browsers',
      key: ['session_id'],
      column: 'created_at',
      retentionSeconds: sessionBrowserLimits.keptSeconds,
    },
    { table: 'session_codes', key: ['code_hash'], column: 'expires_at', retentionSeconds: 0 },
    { table: 'sessions', key: ['id'], column: 'expires_at', retentionSeconds: endedSessionSeconds },
    { table: 'sessions', key: ['id'], column: 'revoked_at', retentionSeconds: endedSessionSeconds },
  ],
}
