import type { Capability } from '../capability.ts'
import { keptLimits } from '../limits.ts'
import { jwks } from './pages.ts'
import { sessionEndpoints } from './routes.ts'

const { endedSessionSeconds } = keptLimits

export const sessions: Capability = {
  name: 'sessions',
  endpoints: sessionEndpoints,
  pages: [jwks],
  expiries: [
    { table: 'session_codes', key: ['code_hash'], column: 'expires_at', keptSeconds: 0 },
    { table: 'sessions', key: ['id'], column: 'expires_at', keptSeconds: endedSessionSeconds },
    { table: 'sessions', key: ['id'], column: 'revoked_at', keptSeconds: endedSessionSeconds },
  ],
}
