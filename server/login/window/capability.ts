import type { Capability } from '../../kernel/capability.ts'
import { windowFile } from './page.ts'
import { startTables, windowTables } from './store.ts'

const folder = new URL('./page/', import.meta.url)

export const loginWindow: Capability = {
  name: 'login/window',
  pages: [
    windowFile('/login/window.css', folder, 'window.css', 'any'),
    windowFile('/login/window-start.js', folder, 'window-start.js'),
    windowFile('/login/window-go.js', folder, 'window-go.js'),
  ],
  migrations: { '0001-starts': startTables, '0002-windows': windowTables },
  restored: { drops: ['login_windows', 'window_starts'] },
  expiryRules: ['login_windows', 'window_starts'].map((table) => ({
    table,
    key: ['id'],
    column: 'expires_at',
    retentionSeconds: 0,
  })),
  settings: ['crossOriginOpenerPolicy', 'confirmRedirectLogins'],
}
