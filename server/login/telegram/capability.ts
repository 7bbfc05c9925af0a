import type { Capability } from '../../kernel/capability.ts'
import { missingForTelegram, telegramEnvironment } from './environment.ts'
import { telegramPages } from './pages.ts'
import { telegramEndpoints } from './routes.ts'
import { telegramMigrations } from './tables.ts'

export const telegram: Capability = {
  name: 'login/telegram',
  endpoints: telegramEndpoints,
  pages: telegramPages,
  environment: telegramEnvironment,
  migrations: telegramMigrations,
  restored: { drops: ['telegram_windows'] },
  expiryRules: [
    { table: 'telegram_windows', key: ['handle'], column: 'expires_at', retentionSeconds: 0 },
    { table: 'telegram_used', key: ['hash'], column: 'expires_at', retentionSeconds: 0 },
  ],
  logins: [{ method: 'telegram', needs: 'telegramAuthConfig', missing: missingForTelegram }],
  settings: ['telegramAuth', 'telegramAuthConfig'],
}
