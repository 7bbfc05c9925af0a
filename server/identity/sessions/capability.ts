import type { Capability } from '../../kernel/capability.ts'
import { handoverEndpoints } from './handover-routes.ts'
import { endedSessionLimits } from './limits.ts'
import { jwks } from './pages.ts'
import { sessionEndpoints } from './routes.ts'
import { removeSessionCodes, revoke } from './store.ts'

const { keptSeconds: endedSessionSeconds } = endedSessionLimits

export const sessions: Capability = {
  name: 'sessions',
  endpoints: [...sessionEndpoints, ...handoverEndpoints],
  pages: [jwks],
  async forget(trx, { appId, userId, nowSeconds }) {
    await revoke(trx, { what: 'user', appId, userId }, nowSeconds)
    await removeSessionCodes(trx, appId, userId)
  },
  expiries: [
    { table: 'session_codes', key: ['code_hash'], column: 'expires_at', keptSeconds: 0 },
    { table: 'sessions', key: ['id'], column: 'expires_at', keptSeconds: endedSessionSeconds },
    { table: 'sessions', key: ['id'], column: 'revoked_at', keptSeconds: endedSessionSeconds },
  ],
}
