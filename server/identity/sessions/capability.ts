import type { Capability } from '../../kernel/capability.ts'
import { page } from '../../kernel/http/pages/page.ts'
import { keyLimits } from '../../kernel/limits.ts'
import { handoverEndpoints } from './handover/handover-routes.ts'
import { sessionEndpoints } from './routes.ts'
import { removeSessionCodes, revoke, revokeEverySession } from './store.ts'

/** What the backend of a host verifies tokens with. */
const jwks = page({
  // A backend may reach this server by a name of its own network.
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

/** How long what has ended is kept, for those who look into an incident. */
const endedSessionLimits = { keptSeconds: 7 * 86_400 } as const

const { keptSeconds: endedSessionSeconds } = endedSessionLimits

export const sessions: Capability = {
  name: 'sessions',
  endpoints: [...sessionEndpoints, ...handoverEndpoints],
  pages: [jwks],
  // The version of the key stands in front of the name, as `refresh-token.ts` writes it.
  peppered: [{ table: 'sessions', column: 'token_key', start: '1.' }],
  userRows: [{ table: 'sessions', goes: 'by age' }],
  async forget(trx, { appId, userId, nowSeconds }) {
    await revoke(trx, { what: 'user', appId, userId }, nowSeconds)
    await removeSessionCodes(trx, appId, userId)
  },
  restored: {
    drops: ['session_codes'],
    // One that was ended since the backup would live again, also in the hands of whoever it was ended for.
    async amend(writer, { nowSeconds, keepsSessions }) {
      if (!keepsSessions) await revokeEverySession(writer, nowSeconds)
    },
  },
  expiryRules: [
    { table: 'session_codes', key: ['code_hash'], column: 'expires_at', retentionSeconds: 0 },
    { table: 'sessions', key: ['id'], column: 'expires_at', retentionSeconds: endedSessionSeconds },
    { table: 'sessions', key: ['id'], column: 'revoked_at', retentionSeconds: endedSessionSeconds },
  ],
}
